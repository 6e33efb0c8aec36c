import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { loadAll } from "../command-table.ts";
import { type Candidate, complete, type LiveNames } from "./complete.ts";
import { SCRIPTS } from "./completion-scripts.ts";

const commands = await loadAll();

function candidates(...values: readonly string[]): readonly Candidate[] {
  return values.map((value) => ({ value, summary: "" }));
}

const live: LiveNames = {
  sessions: async () => candidates("web-fix-login", "web-add-export"),
  projects: async () => candidates("web", "docs"),
  pullRequests: async () => candidates("web/3"),
  choices: async (session) => (session === "web-fix-login" ? candidates("allow", "allow always", "deny") : []),
};

describe("completion", () => {
  it.each<readonly [readonly string[], readonly string[]]>([
    [["stat"], ["status"]],
    [["comp"], ["completion"]],
    [
      ["attach", ""],
      ["web-fix-login", "web-add-export"],
    ],
    [["kill", "web-f"], ["web-fix-login"]],
    [["send", "web-fix-login", ""], []],
    [
      ["merge", "w"],
      ["web/3", "web-fix-login", "web-add-export"],
    ],
    [
      ["answer", "web-fix-login", "allow"],
      ["allow", "allow always"],
    ],
    [
      ["list", "--project", ""],
      ["web", "docs"],
    ],
    [["list", "-p", "d"], ["docs"]],
    [["list", "-p", "docs", "--js"], ["--json"]],
    [
      ["remove-project", ""],
      ["web", "docs"],
    ],
    [["issue", "n"], ["new"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["run", "web-fix-login", "--", ""], []],
    [["nonsense", ""], []],
  ])("ao %j", async (words, expected) => {
    const found = await complete(commands, words, live);
    expect(found.map(({ value }) => value)).toEqual(expected);
  });
});

/** A shell with ao on its PATH and no daemon; skipped if the shell is not installed. */
const PROGRAMS: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  bash: (folder) => [
    "-c",
    `source ${folder}/script; COMP_WORDS=(ao conf); COMP_CWORD=1; _ao; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // The functions of the completion system exist only on a terminal, so the test prints their input.
  zsh: (folder) => [
    "-fc",
    `fpath=(${folder} $fpath); autoload -Uz _ao; _describe() { print -l -- "\${(@P)2}" }; words=(ao conf); CURRENT=2; _ao | sed 's/:.*//'`,
  ],
  fish: (folder) => [
    "--no-config",
    "-c",
    `source ${folder}/script; complete -C 'ao conf' | string replace -r '\\t.*' ''`,
  ],
};

describe.each(Object.keys(PROGRAMS))("the script for %s", (shell) => {
  const isMissing = spawnSync(shell, ["-c", "true"]).error !== undefined;

  it.skipIf(isMissing)("completes commands and starts no daemon", () => {
    const dir = tempDir();
    const bin = join(dir, "bin");
    mkdirSync(bin);
    symlinkSync(fileURLToPath(new URL("../../../dist/cli/ao.cjs", import.meta.url)), join(bin, "ao"));
    for (const name of ["script", "_ao"]) writeFileSync(join(dir, name), SCRIPTS[shell] ?? "");
    const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: dir, AO_HOME: join(dir, "home") };
    const typed = spawnSync(shell, PROGRAMS[shell]?.(dir) ?? [], { encoding: "utf8", env, cwd: dir });
    expect(typed.stdout.trim().split("\n"), typed.stderr).toEqual(["config", "config-help"]);
    expect(existsSync(join(dir, "home"))).toBe(false);
  });
});
