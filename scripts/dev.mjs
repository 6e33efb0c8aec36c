// The dashboard with hot reload: `npm run dev` on a seeded fleet of 30 sessions, `npm run dev -- 500` on one of 500.
//   AO_URL=http://localhost:3000 AO_TOKEN=$(ao token) npm run dev    on a daemon that runs
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePackages, root } from "./lib.mjs";
import { loadServeFleet } from "./serve-fleet.mjs";

ensurePackages();
const { AO_URL, AO_TOKEN } = process.env;
const home = AO_URL === undefined ? mkdtempSync(join(tmpdir(), "ao-dev-")) : null;
const fleet =
  home === null
    ? { url: AO_URL, token: AO_TOKEN ?? "", close: async () => undefined }
    : await (await loadServeFleet())({
        home,
        count: Number(process.argv[2] ?? 30),
        port: null,
        page: join(root, "dist/web"),
      });
// The development server has a different address than the daemon, so its calls carry a token instead of a cookie.
const proxy = {
  target: fleet.url,
  changeOrigin: true,
  ws: true,
  headers: { authorization: `Bearer ${fleet.token}` },
  configure: (server) => {
    for (const event of ["proxyReq", "proxyReqWs"]) server.on(event, (request) => request.removeHeader("origin"));
  },
};
const { createServer } = await import("vite");
const server = await createServer({
  configFile: join(root, "web/vite.config.ts"),
  server: { proxy: { "/api": proxy, "/healthz": proxy } },
});
await server.listen();
server.printUrls();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await server.close();
    await fleet.close();
    if (home !== null) rmSync(home, { recursive: true, force: true });
    process.exit(0);
  });
}
