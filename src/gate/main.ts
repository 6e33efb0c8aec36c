import { runInside } from "./inside.ts";
import { runOutside } from "./outside.ts";

// `outside FOLDER HOSTS PROGRAM ARGS...` runs a proxy for the program and its children; `inside SOCKET PORT` connects a
// sandbox to that proxy.
const [side, ...words] = process.argv.slice(2);
if (side === "outside") await runOutside(words);
else await runInside(words);
