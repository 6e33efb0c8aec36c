// `npm start [-- PATH]`: installs, builds, and starts `ao` on a repository (or with none).
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build, root, run } from "./lib.mjs";

if (!existsSync(join(root, "dist/cli/main.js"))) build();
run(process.execPath, [join(root, "dist/cli/main.js"), "start", ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? root,
});
