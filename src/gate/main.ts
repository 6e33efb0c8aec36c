import { runInside } from "./inside.ts";
import { runOutside } from "./outside.ts";

// `outside FOLDER HOSTS PROGRAM ARGS...` keeps a proxy for the program and what it starts; `inside SOCKET PORT` is the way to it from a sandbox.
const [side, ...words] = process.argv.slice(2);
if (side === "outside") await runOutside(words);
else await runInside(words);
