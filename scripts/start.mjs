// `npm start [-- PATH ...]`: installs, builds, and starts `ao` on a repository.
import { join } from "node:path";
import { build, root, run } from "./lib.mjs";

const args = process.argv.slice(2);
build();
// Without a path nothing is registered: this clone is not a project that anybody asked for.
const cwd = args.length > 0 ? (process.env.INIT_CWD ?? root) : "/";
if (args.length === 0) console.log("Start it on a repository of yours with: npm start -- ~/code/my-app");
run(process.execPath, [join(root, "dist/cli/ao.cjs"), "start", ...args], { cwd });
