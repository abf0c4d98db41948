"""Write frontend/src/model/schema.json from the pydantic models; with --check, exit 1 when the committed file is stale."""

import json
import sys
from pathlib import Path

from pydantic.json_schema import models_json_schema

from visualizer.model import LevelMessage, Trace, TraceRequest

TARGET = Path(__file__).parent.parent / "frontend" / "src" / "model" / "schema.json"


def schema_text() -> str:
    _, schema = models_json_schema([(m, "serialization") for m in (Trace, LevelMessage, TraceRequest)], ref_template="#/$defs/{model}")
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main() -> int:
    text = schema_text()
    if "--check" in sys.argv:
        if TARGET.read_text("utf-8") != text:
            print(f"{TARGET} is stale: run `make types`", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
