import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { filesWith } from "./support/files-with.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["src", "web/src"];

/** These listen as long as their page or process exists. */
const FOR_GOOD = [
  "src/app/daemon.ts",
  "src/bridge/main.ts",
  "src/cli/write-out.ts",
  "src/gate/outside.ts",
  "src/hook-runner/main.ts",
  "web/src/keys/use-shortcuts.ts",
  "web/src/lib/theme.ts",
];
/** The one that it listens to is closed and replaced. */
const ON_ITS_OWN = ["web/src/data/live.ts"];

/** A listener on something that outlives the work that needs it is a leak, and after ten of them Node prints a warning. */
it.each([
  ["addEventListener(", /removeEventListener\(/, /\baddEventListener\(.*once: true/],
  ["process.on(", /process\.off\(/, /never/],
] as const)("every `%s` is once, or is removed", (listen, remove, once) => {
  const offenders = FOLDERS.flatMap((folder) => filesWith(`${root}${folder}`, listen))
    .map((file) => relative(root, file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith("src/testing/"))
    .filter((file) => ![...FOR_GOOD, ...ON_ITS_OWN].includes(file))
    .filter((file) => {
      const text = readFileSync(`${root}${file}`, "utf8");
      return !remove.test(text) && text.split("\n").some((line) => line.includes(listen) && !once.test(line));
    });
  expect(offenders).toEqual([]);
});
