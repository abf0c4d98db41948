// Text of a stranger inside other languages: Markdown, reStructuredText, HTML. Pure.
// Must never: let a name end what it stands in, or begin something else there.

/** In one line: what a label, an alt text or an option can hold. Controls and halves of characters become U+FFFD. */
export function oneLine(text: string): string {
  return (
    text
      .replace(/\s+/gu, " ")
      .trim()
      .replace(/\p{Surrogate}/gu, "\ufffd")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what no document may hold
      .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd")
  );
}

/** As words of Markdown, within brackets or not: CommonMark lets any ASCII punctuation be escaped; these are what some flavour reads. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>&!|~$^=:@#"]/g, "\\$&");
}

/** As the destination of a Markdown link or image, without `<>`: no spaces, no brackets that could end it. */
export function markdownAddress(address: string): string {
  return address.replace(/[\s<>()\\*`[\]|"']/gu, (char) => encodeURIComponent(char).replace(/[()*'!]/g, hex));
}

/** The value of an option of a reST directive: it is taken as it is, without markup, up to the end of the line. */
export function restOption(text: string): string {
  return oneLine(text);
}

/** The argument of a reST image: white space would be taken out of it, and one that ends in an underscore be a reference. */
export function restAddress(address: string): string {
  return address.replace(/[\s\\`<>]/gu, encodeURIComponent).replace(/_$/, "%5F");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** In the text or a quoted attribute of HTML; the same letters as Python's `html.escape` gives. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

function hex(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
