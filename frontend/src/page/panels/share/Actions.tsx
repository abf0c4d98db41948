// What can be done with it, by one press each, and what came of the last one.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ServerError } from "../../api/client.ts";
import { pictureOf } from "../../api/pictures.ts";
import { useApp } from "../../app.ts";
import { download } from "../../files/save.ts";
import { picture as paper } from "../../printing.ts";
import { copyText } from "../copy.ts";
import type { Made } from "./made.ts";
import { type Shortening, TAKEN_BACK } from "./short.ts";

interface Props {
  readonly made: Made;
  readonly said: string | null;
  readonly short: Shortening;
  readonly kept: boolean;
}

interface Act {
  readonly name: string;
  readonly hint: string;
  readonly disabled?: boolean;
  readonly danger?: true;
  /** What is said of it. */
  do(): Promise<string> | string;
}

const SVG = "image/svg+xml";

export function Actions({ made, said, short, kept }: Props) {
  const { store, commands } = useApp();
  const told = useSignal({ text: "", turn: 0 });
  const { format } = store.sharing.value;
  // The server did not make the PDF: the browser is offered.
  const refused = useSignal(false);
  useEffect(() => {
    told.value = { text: "", turn: 0 };
  }, [format]);
  useEffect(() => {
    refused.value = false;
  }, [made]);

  async function act(action: Act): Promise<void> {
    const say = (text: string): void => {
      told.value = { text, turn: told.peek().turn + 1 };
    };
    say("…");
    try {
      say(await action.do());
    } catch (error) {
      say(error instanceof ServerError ? `${error.failure.message} ${error.failure.advice}` : "It could not be made.");
    }
  }

  async function copied(text: string, what: string): Promise<string> {
    return (await copyText(text)) ? `${what} copied.` : "The browser did not let it be copied: mark it above, and copy it by hand.";
  }

  async function copiedImage(blob: Blob, name: string): Promise<string> {
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      return "Picture copied.";
    } catch {
      download(name, blob);
      return `This browser copies no pictures from here: saved as ${name}.`;
    }
  }

  function saved(name: string, content: string, type: string): string {
    download(name, content, type);
    return `Saved as ${name}.`;
  }

  function actions(): Act[] {
    const name = store.program.peek()?.name ?? "";
    if (made.kind === "none" && made.offer === true) {
      const make = async (): Promise<string> => {
        if (said !== null) await short.make(said, name);
        return short.now.peek() === null ? "" : "Short link made.";
      };
      const busy = short.busy.value;
      return [{ name: busy ? "Making it…" : "Make a short link", hint: "The server keeps the code", disabled: busy || !kept, do: make }];
    }
    if (made.kind === "text") {
      const what = { link: "Link", short: "Short link", markdown: "Markdown", rest: "reST", iframe: "HTML" }[format as "link"] ?? "Text";
      const { picture } = made;
      return [
        {
          name: `Copy ${what === "Link" || what === "Short link" ? what.toLowerCase() : what}`,
          hint: "Copy the text above",
          do: () => copied(made.text, what),
        },
        ...(picture === undefined
          ? []
          : [
              {
                name: `Save ${picture.name}`,
                hint: "The picture that the text names",
                do: () => saved(picture.name, picture.svg.text, SVG),
              },
            ]),
        ...(format === "short" ? [opening(made.text), deleting(short)] : []),
      ];
    }
    if (made.kind === "page")
      return [
        {
          name: "Save web page",
          hint: "One file, no network",
          do: async () => saved(made.name, made.text ?? (await made.make()), "text/html"),
        },
      ];
    if (made.kind !== "picture") return [];
    const { svg, png, drawn } = made;
    if (made.pdf !== undefined) {
      const { asked, prints } = made.pdf;
      const print: Act = {
        name: "Print…",
        hint: "Opens the print dialog of the browser, which can save a light one as PDF",
        do() {
          commands.paper({ picture: paper(drawn.drawing.scene, drawn.title), width: svg.width, height: svg.height, title: drawn.title });
          return "The page was handed to the print dialog.";
        },
      };
      if (asked === null) return [print];
      const save = async (): Promise<string> => {
        try {
          download(made.name, await pictureOf(asked));
          return `Saved as ${made.name}.`;
        } catch (error) {
          if (!prints || !(error instanceof ServerError)) throw error;
          refused.value = true;
          return `${error.failure.message} Print… can save it as PDF.`;
        }
      };
      return [{ name: "Save PDF", hint: made.name, do: save }, ...(refused.value ? [print] : [])];
    }
    if (png !== undefined)
      return [
        { name: "Copy picture", hint: "Into the clipboard, to be pasted as a picture", do: () => copiedImage(png.blob, made.name) },
        {
          name: "Save PNG",
          hint: made.name,
          do() {
            download(made.name, png.blob);
            return `Saved as ${made.name}.`;
          },
        },
      ];
    return [
      { name: "Save SVG", hint: made.name, do: () => saved(made.name, svg.text, SVG) },
      { name: "Copy SVG", hint: "Its text", do: () => copied(svg.text, "SVG") },
    ];
  }

  const [main, ...others] = actions();
  return (
    <div class="share-actions">
      {/* It stays the same button while what it does is made: whoever has the keyboard on it keeps it. */}
      <button
        type="button"
        class="button primary"
        data-main
        aria-disabled={main === undefined || main.disabled === true}
        title={main?.hint}
        onClick={() => main !== undefined && main.disabled !== true && void act(main)}
      >
        {main?.name ?? (made.kind === "waiting" ? "…" : "Nothing to share")}
      </button>
      {others.map((other) => (
        <button
          key={other.name}
          type="button"
          class={`button ${other.danger ? "danger" : ""}`}
          title={other.hint}
          disabled={other.disabled}
          onClick={() => void act(other)}
        >
          {other.name}
        </button>
      ))}
      <p class="share-told" role="status" key={told.value.turn}>
        {told.value.text}
      </p>
    </div>
  );
}

function opening(url: string): Act {
  return {
    name: "Open",
    hint: "In a tab of its own",
    do() {
      window.open(url, "_blank", "noopener");
      return "";
    },
  };
}

function deleting(short: Shortening): Act {
  return {
    name: "Delete",
    hint: "The server forgets the code, unless somebody else shared the same",
    disabled: short.busy.value,
    danger: true,
    do: async () => ((await short.remove()) ? TAKEN_BACK : (short.failure.peek()?.message ?? "It was not deleted.")),
  };
}
