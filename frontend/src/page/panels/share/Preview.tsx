// What a format gives, before it is copied or saved: a text letter by letter, a picture as a picture on the ground that it will stand on.
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../app.ts";
import { sizeOf } from "../../files/read.ts";
import type { Theme } from "../../state/types.ts";
import type { Made } from "./made.ts";
import { isLocal, type Shortening } from "./short.ts";

/** A browser takes seconds for larger ones. */
const MOST_PREVIEW = 6_000_000;

export function Preview({ made, short, kept }: { readonly made: Made; readonly short: Shortening; readonly kept: boolean }) {
  const { store } = useApp();
  const { format, theme } = store.sharing.value;
  if (made.kind === "waiting") return <div class="share-preview waiting" role="status" aria-label="It is being made" />;
  if (made.kind === "none") return <Without made={made} short={short} kept={kept} />;
  if (made.kind === "text") {
    const local = isLocal(made.text.match(/https?:[^\s"()<>]+/)?.[0] ?? "");
    return (
      <div class="share-preview text">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keyboard */}
        <pre tabIndex={0} data-preview={made.format}>
          {made.text}
        </pre>
        <Notes
          lines={[
            made.picture !== undefined
              ? `Save ${made.picture.name} beside the document, or make a short link: then the server draws it.`
              : "",
            short.now.value !== null && format !== "link" && format !== "short" ? "Uses the short link that you made." : "",
            short.now.value !== null && format !== "link" ? short.now.value.note : "",
            format === "short" ? "The server keeps the code; whoever has the link can read it. Delete takes it back." : "",
            local ? "This server runs on your machine: others cannot open it from theirs." : "",
          ]}
        />
      </div>
    );
  }
  const ground: Theme = (format === "pdf" || format === "png") && theme === "auto" ? "light" : theme;
  const { svg } = made;
  const png = made.kind === "picture" ? made.png : undefined;
  const size = png?.blob.size ?? new Blob([made.kind === "page" ? (made.text ?? "") : svg.text]).size;
  const pixels = png ?? svg;
  return (
    <div class="share-preview">
      <div class="share-ground" data-ground={ground}>
        {svg.text.length > MOST_PREVIEW ? (
          <p>Too large to be shown here; it can be saved.</p>
        ) : (
          <Image blob={png?.blob ?? null} svg={svg.text} name={made.name} width={svg.width} height={svg.height} />
        )}
      </div>
      <Notes
        lines={[
          format === "pdf"
            ? `One page of ${Math.round(svg.width * 0.2646)} × ${Math.round(svg.height * 0.2646)} mm, its text can be searched.`
            : [made.name, `${Math.round(pixels.width)} × ${Math.round(pixels.height)}`, size > 0 ? sizeOf(size) : ""]
                .filter(Boolean)
                .join(" · "),
          made.kind === "page" ? "Shown here as a picture; in the file it can be opened, closed and zoomed." : made.note,
        ]}
      />
    </div>
  );
}

function Image(props: {
  readonly blob: Blob | null;
  readonly svg: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}) {
  const { blob, svg, name, width, height } = props;
  const [address, setAddress] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(blob ?? new Blob([svg], { type: "image/svg+xml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, svg]);
  return address === "" ? null : <img src={address} alt={`Preview of ${name}`} width={width} height={height} data-preview />;
}

function Without({ made, short, kept }: { readonly made: Made & { kind: "none" }; readonly short: Shortening; readonly kept: boolean }) {
  const failure = short.failure.value;
  if (made.offer !== true)
    return (
      <div class="share-preview without" role="status">
        <p>
          <b>{made.why}</b>
        </p>
        <p>{made.advice}</p>
      </div>
    );
  return (
    <div class="share-preview without">
      {kept ? (
        <>
          <p>
            <b>A short link is made when you ask for it.</b>
          </p>
          <p>
            The server then keeps the code, and whoever has the link can read it and what it shows. You can delete it again from this
            browser.
          </p>
        </>
      ) : (
        <>
          <p>
            <b>This server keeps no short links.</b>
          </p>
          <p>The long link works without: it holds everything by itself.</p>
        </>
      )}
      {failure !== null && (
        <p class="share-failure" role="alert">
          <b>{failure.message}</b> {failure.advice}
        </p>
      )}
    </div>
  );
}

function Notes({ lines }: { readonly lines: readonly string[] }) {
  const said = lines.filter(Boolean);
  return said.length === 0 ? null : (
    <p class="share-notes">
      {said.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </p>
  );
}
