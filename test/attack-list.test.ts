import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, "utf8");
const filesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/["`]((?:src|test)\/[\w/.-]+\.test\.ts)["`]/g)].map(([, file]) => file ?? "")),
];

it("`npm run attack` runs every attempt that is in test/attack or that docs/security.md names", () => {
  const run = filesIn(read("scripts/attack.mjs"));
  expect(run.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  const attempts = readdirSync(`${root}test/attack`)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/attack/${name}`);
  // Random inputs have a command of their own.
  const named = filesIn(read("docs/security.md")).filter((file) => file !== "test/fuzz.test.ts");
  expect([...attempts, ...named].filter((file) => !run.includes(file))).toEqual([]);
});
