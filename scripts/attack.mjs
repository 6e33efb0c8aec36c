// `npm run attack`: tries to break what docs/security.md promises, and prints each attempt with how it ended. An attempt is a test in
// test/attack or test/attacks.test.ts, so `npm test` makes the same ones.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bin, build, ensurePackages, ensurePrograms } from "./lib.mjs";

const OUTCOMES = { passed: "held", failed: "BROKEN" };

ensurePackages();
ensurePrograms({ bubblewrap: ["bwrap", ["--version"]] });
build();
const folder = mkdtempSync(join(tmpdir(), "ao-attack-"));
const report = join(folder, "report.json");
const files = process.argv.slice(2);
spawnSync(
  bin("vitest"),
  ["run", ...(files.length === 0 ? ["test/attack"] : files), "--reporter=json", `--outputFile=${report}`],
  {
    stdio: ["ignore", "ignore", "inherit"],
  },
);
const rows = readRows(JSON.parse(readFileSync(report, "utf8")));
rmSync(folder, { recursive: true });
for (const { area, attempt, outcome } of rows) console.log(`${outcome.padEnd(9)}${area}: ${attempt}`);
const count = (wanted) => rows.filter(({ outcome }) => outcome === wanted).length;
const [held, broken] = [count("held"), count("BROKEN")];
console.log(`\n${rows.length} attempts: ${held} held, ${broken} broken, ${rows.length - held - broken} not tried`);
process.exit(broken === 0 && held > 0 ? 0 : 1);

function readRows({ testResults }) {
  return testResults.flatMap(({ name, assertionResults, message }) => {
    // A file that could not be loaded has no attempts, which must not look like success.
    if (assertionResults.length === 0) return [{ area: relative(".", name), attempt: message, outcome: "BROKEN" }];
    return assertionResults.map(({ ancestorTitles, title, status }) => ({
      area: ancestorTitles.join(" ") || relative(".", name),
      attempt: title,
      outcome: OUTCOMES[status] ?? "not tried",
    }));
  });
}
