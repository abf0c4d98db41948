// Unpacks the viewer, which is packed so that a page stays small, and lets it run. The policy of the page names both scripts by their hashes.
const packed = document.querySelector("script.viewer-packed").textContent;
const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text().then((text) => {
  const script = document.createElement("script");
  script.textContent = text;
  document.body.append(script);
});
