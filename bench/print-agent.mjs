// Appends this many bytes of terminal output to a file every second, as tmux does for a program that never stops printing.
//   node bench/print-agent.mjs FILE BYTES_PER_SECOND
import { openSync, writeSync } from "node:fs";

const [file, perSecond] = process.argv.slice(2);
const STEPS = 20;
const log = openSync(file, "a");
const line = "\u001b[32mok\u001b[0m a line of output with a color and a number 0123456789\r\n";
const part = Buffer.from(line.repeat(Math.ceil(Number(perSecond) / STEPS / line.length)));
setInterval(() => writeSync(log, part), 1000 / STEPS);
