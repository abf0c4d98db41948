// What an empty field of the signature bar asks for: an array, unless what the person wrote of the parameter says otherwise. Pure.

const ARRAY = "f32[3]";
const TEXTS = "['a', 'b']";
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ["str", "a text, in quotes"],
  ["bool", "True"],
  ["int", "1"],
  ["float", "f32[]"],
  ["bytes", "b'...'"],
  ["Callable", "jax.nn.relu"],
  ["dict", "{'w': f32[3]}"],
  ["list", "[f32[3]]"],
  ["tuple", "(f32[3],)"],
  ["Dict", "{'w': f32[3]}"],
  ["List", "[f32[3]]"],
  ["Tuple", "(f32[3],)"],
  ["Literal", "one of these"],
]);

/** The prompt for a parameter with this annotation; for several (`str | None`) that of the first that is known. */
export function promptOf(annotation: string | null): string {
  const kinds = (annotation ?? "").replace(/["']/g, "").replace(/^(?:\w+\.)?(?:Optional|Union)\[(.*)\]$/, "$1");
  for (const kind of kinds.split(/[|,](?![^[]*\])/)) {
    const name = /^\s*(?:\w+\.)*(\w+)/.exec(kind)?.[1] ?? "";
    if (/\[\s*str\s*(?:,\s*(?:str|\.\.\.)\s*)*\]$/.test(kind)) return TEXTS;
    const found = BY_NAME.get(name);
    if (found !== undefined) return found;
  }
  return ARRAY;
}
