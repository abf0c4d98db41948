// Builds the page into the Python package, where Flask serves it: hashed assets, no inline script, nothing from another host.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const outDir = fileURLToPath(new URL("../visualizer/web/static", import.meta.url));

export default defineConfig({
  base: "./",
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2022",
    // The page's CSP forbids data: fonts and data: scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/healthz": "http://127.0.0.1:8080" } },
  // No test is about time; a machine that does other things, too, may take long.
  test: { include: ["test/**/*.test.{ts,tsx}"], testTimeout: 60_000 },
} as Parameters<typeof defineConfig>[0]);
