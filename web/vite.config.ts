import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2022",
    // What the dashboard's styles use (`field-sizing`, `color-mix`) needs browsers of these years anyway.
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    // The policy of the page allows no inline script, and the polyfill is one.
    modulePreload: { polyfill: false },
  },
});
