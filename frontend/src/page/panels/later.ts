// A panel that is loaded when it is first wanted: most visits never need it.
import { useEffect, useState } from "preact/hooks";

/** Null until it is there; for good where it cannot be loaded. */
export function useLater<T>(load: () => Promise<T>, wanted: boolean): T | null {
  const [loaded, setLoaded] = useState<{ readonly part: T } | null>(null);
  useEffect(() => {
    if (!wanted || loaded !== null) return;
    let gone = false;
    load().then(
      (part) => gone || setLoaded({ part }),
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [wanted]);
  return loaded?.part ?? null;
}
