// Makes docs/images/demo.svg, the picture of the README: the end of a real run of the demo. `npm run picture`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, ensurePackages, root } from "./lib.mjs";

const CHAR = 8.4;
const LINE = 19;
const PAD = 20;
const WIDTH = 92;

ensurePackages();
build();
const home = mkdtempSync(join(tmpdir(), "ao-picture-"));
const args = [join(root, "dist/cli/ao.cjs"), "demo", "--exit", "--rm", "--port", "0"];
const { stdout, stderr, status } = spawnSync(process.execPath, args, {
  encoding: "utf8",
  env: { ...process.env, HOME: home, NO_COLOR: "1" },
});
rmSync(home, { recursive: true, force: true });
if (status !== 0) throw new Error(`the demo ended with ${status}: ${stderr}`);
const file = join(root, "docs/images/demo.svg");
mkdirSync(join(root, "docs/images"), { recursive: true });
writeFileSync(file, draw(["$ npm start -- --exit", "", ...endOf(stdout)]));
console.log(`wrote ${file}`);

/** From the table of tasks to the picture of the sample; paths of this machine come after it. */
function endOf(output) {
  const lines = output.split("\n");
  const table = lines.findIndex((line) => line.startsWith("TASK "));
  const after = lines.findIndex((line, index) => index > table && /passing tests\./.test(line));
  return lines.slice(table, after).flatMap((line) => wrap(line.trimEnd()));
}

/** A sentence wider than the rest continues on the next line. */
function wrap(line) {
  if (line.length <= WIDTH) return [line];
  const cut = line.lastIndexOf(" ", WIDTH);
  return [line.slice(0, cut), ...wrap(`  ${line.slice(cut + 1)}`)];
}

function draw(lines) {
  const width = Math.ceil(Math.max(...lines.map((line) => [...line].length)) * CHAR) + 2 * PAD;
  const height = lines.length * LINE + 2 * PAD;
  const text = lines.map((line, index) => {
    const y = Math.round(PAD + (index + 0.8) * LINE);
    const tone = /^\d+ merged/.test(line) ? "good" : /^(TASK|\$) /.test(line) ? "bold" : "";
    return `<text x="${PAD}" y="${y}"${tone === "" ? "" : ` class="${tone}"`} xml:space="preserve">${escapeXml(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="The end of ao demo">`,
    "<!-- Made by scripts/picture.mjs from a real run. -->",
    "<style>rect{fill:#16181d}text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d7dae0}.bold{font-weight:700;fill:#fff}.good{font-weight:700;fill:#7bd88f}</style>",
    `<rect width="${width}" height="${height}" rx="10"/>`,
    ...text,
    "</svg>",
    "",
  ].join("\n");
}

function escapeXml(line) {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
