// Where the server's interface is from here: the page is served at `/` and, for a short link, at `/s/<id>`.

export function at(path: string): string {
  const here = typeof location === "undefined" ? "" : location.pathname;
  return /\/s\/[\w-]+\/?$/.test(here) ? `../${path}` : path;
}
