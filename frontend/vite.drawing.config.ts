// Builds the drawing as one classic script for the Python package, which runs it in an embedded V8.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL("../visualizer/drawing/bundle", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    lib: {
      entry: fileURLToPath(new URL("./src/drawing/bundle.ts", import.meta.url)),
      name: "JaxprDrawing",
      formats: ["iife"],
      fileName: () => "drawing.js",
    },
  },
});
