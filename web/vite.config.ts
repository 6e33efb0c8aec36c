import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // The policy of the page allows no inline script, and the polyfill is one.
    modulePreload: { polyfill: false },
  },
});
