// Builds the viewer for files of their own: one classic script, the one that unpacks it, one sheet and the page that they go into, for the Python package.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  publicDir: false,
  plugins: [
    {
      name: "page",
      generateBundle() {
        for (const fileName of ["page.html", "start.js"])
          this.emitFile({ type: "asset", fileName, source: readFileSync(here(`./src/embed/${fileName}`), "utf8") });
      },
    },
  ],
  build: {
    outDir: here("../visualizer/drawing/bundle/embed"),
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    lib: { entry: here("./src/embed/main.ts"), name: "JaxprEmbed", formats: ["iife"], fileName: () => "embed.js", cssFileName: "embed" },
  },
});
