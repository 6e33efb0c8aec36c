import { paint } from "./paint.js";

const color = process.stdout.isTTY === true || process.argv.includes("--color");
console.log((await paint({ color })).join("\n"));
