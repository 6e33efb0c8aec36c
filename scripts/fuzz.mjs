// `npm run fuzz`: feeds random and damaged input to every parser of foreign text and to the proxy of sandboxes, and prints the number of inputs per parser.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, ensurePackages } from "./lib.mjs";

ensurePackages();
const folder = mkdtempSync(join(tmpdir(), "ao-fuzz-"));
const report = join(folder, "report.json");
const { status } = spawnSync(
  bin("vitest"),
  ["run", "test/fuzz.test.ts", "src/gate/hostile.test.ts", "--reporter=dot"],
  {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, AO_TEST_FULL: "1", AO_FUZZ_REPORT: report },
  },
);
const counts = Object.entries(JSON.parse(readFileSync(report, "utf8")));
rmSync(folder, { recursive: true });
for (const [parser, tried] of counts) console.log(`${parser.padEnd(52)}${String(tried).padStart(8)} inputs`);
console.log(
  `${counts.length} parsers, ${status === 0 ? "0 crashes" : "CRASHED: run npx vitest run test/fuzz.test.ts src/gate/hostile.test.ts"}`,
);
process.exit(status ?? 1);
