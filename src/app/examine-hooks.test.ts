import { expect, it } from "vitest";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeMachine } from "../testing/fakes/host.ts";
import { examineHooks } from "./examine-hooks.ts";

const FROM = "/home/ann/web";

/** What `ao doctor` says about a hook in code, on a machine with these files. */
async function examineModule(module: string, files: readonly string[]): Promise<readonly unknown[]> {
  const { host } = createFakeMachine({ clock: createFakeClock(0) });
  for (const file of files) {
    await host.fs.makeDir(file.slice(0, file.lastIndexOf("/")));
    await host.fs.writeText(file, "");
  }
  const hook = { module, from: FROM, timeoutMs: 1 };
  return examineHooks(host, { "before-merge": [{ run: "./nothing.sh", timeoutMs: 1 }, hook] });
}

it.each([
  ["a file that is there", `${FROM}/hooks.mjs`, `${FROM}/hooks.mjs`],
  ["an installed package", "hooks", `${FROM}/node_modules/hooks/package.json`],
  ["a file of a package that is installed above", "@acme/a/b.mjs", "/home/ann/node_modules/@acme/a/package.json"],
])("ao doctor is silent about %s", async (_, module, file) => {
  expect(await examineModule(module, [file])).toEqual([]);
});

it.each([
  [
    "a missing file",
    ...([`${FROM}/hooks.mjs`, []] as const),
    `${FROM}/hooks.mjs does not exist`,
    "Create the file, or correct `hooks.before-merge` in the configuration.",
  ],
  [
    "a missing package",
    ...(["@acme/a/b.mjs", []] as const),
    `the package @acme/a is not installed in ${FROM} or above`,
    `Run \`npm install @acme/a\` in ${FROM}.`,
  ],
  [
    "a file that is read as a package",
    ...(["tools/hooks.mjs", [`${FROM}/tools/hooks.mjs`]] as const),
    `the package tools is not installed in ${FROM} or above`,
    "Write ./tools/hooks.mjs for the file.",
  ],
])("ao doctor warns of %s", async (_, module, files, text, fix) => {
  expect(await examineModule(module, files)).toEqual([{ name: "hook before-merge", state: "warn", text, fix }]);
});
