import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The daemon that `npm run dev` passes calls on to. */
const daemon = process.env["AO_URL"] ?? "http://localhost:3000";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // The policy of the page allows no inline script, and the polyfill is one.
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": { target: daemon, ws: true }, "/healthz": daemon },
  },
});
