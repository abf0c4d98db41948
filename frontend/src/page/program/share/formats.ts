// What can be shared, in the order in which it is offered, and what each is good for. Pure.
export type Format = "link" | "short" | "markdown" | "rest" | "iframe" | "svg" | "png" | "pdf" | "html";
export type Option = "theme" | "shown" | "width" | "title";

export interface About {
  readonly id: Format;
  readonly name: string;
  readonly group: "Links" | "In a document" | "Files";
  /** Where it works, in a line. */
  readonly where: string;
  readonly options: readonly Option[];
  /** It is made of a drawing: without one there is nothing to share. */
  readonly drawn: boolean;
}

export const FORMATS: readonly About[] = [
  {
    id: "link",
    name: "Link",
    group: "Links",
    where: "For chats, issues and notes. The code is in the address itself: no server keeps it, and it opens for ever.",
    options: ["shown"],
    drawn: false,
  },
  {
    id: "short",
    name: "Short link",
    group: "Links",
    where: "For mails, slides and chats, which show its picture. It lives as long as this server keeps it.",
    options: ["shown"],
    drawn: false,
  },
  {
    id: "markdown",
    name: "Markdown",
    group: "In a document",
    where: "For READMEs, issues and notebooks: GitHub shows the SVG as an image (no frames, no scripts), a click opens it here.",
    options: ["theme", "shown", "title"],
    drawn: true,
  },
  {
    id: "rest",
    name: "reST",
    group: "In a document",
    where: "For Sphinx and docutils, HTML and LaTeX alike. A site that draws by itself takes the directive jaxpr instead.",
    options: ["theme", "shown", "width", "title"],
    drawn: true,
  },
  {
    id: "iframe",
    name: "HTML frame",
    group: "In a document",
    where: "For web pages, blogs and docs sites: the program can be opened, closed and zoomed there. GitHub and chats remove frames.",
    options: ["theme", "shown", "width", "title"],
    drawn: true,
  },
  {
    id: "svg",
    name: "SVG",
    group: "Files",
    where: "For READMEs, docs and slides: sharp at any size, text stays text. Automatic follows the reader's dark mode.",
    options: ["theme", "shown", "width", "title"],
    drawn: true,
  },
  {
    id: "png",
    name: "PNG",
    group: "Files",
    where: "For chats, mails and slides, where SVG is not shown. Two pixels for each of the drawing.",
    options: ["theme", "shown", "width", "title"],
    drawn: true,
  },
  {
    id: "pdf",
    name: "PDF",
    group: "Files",
    where: "For papers and slides: one page of the size of the drawing, its lines sharp at any size, its text still text.",
    options: ["theme", "shown", "title"],
    drawn: true,
  },
  {
    id: "html",
    name: "Web page",
    group: "Files",
    where: "One file that opens from a disk or a docs site, without a network: pan, zoom, open and close as here.",
    options: ["theme", "shown", "title"],
    drawn: true,
  },
];

export function aboutOf(format: Format): About {
  return FORMATS.find(({ id }) => id === format) as About;
}
