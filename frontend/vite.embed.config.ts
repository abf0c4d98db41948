// Builds the viewer for files of their own: one classic script, one sheet and the page that they go into, for the Python package.
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
        this.emitFile({ type: "asset", fileName: "page.html", source: readFileSync(here("./src/embed/page.html"), "utf8") });
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
