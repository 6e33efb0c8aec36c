import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { matchesCommand, parseCommand } from "./commands.ts";

const TOKENS = [
  ..."ok|evil| |'|\"|\\|;|&|\n|(|)|`|>|<|x|1|2|$|{|}|#|=|!|*|~|-|&&|||".split("|"),
  ...[
    "|",
    "||",
    "$(",
    "<(",
    ">(",
    "$'",
    '$"',
    "${",
    '"${x:-"',
    "2>&1",
    ">&1",
    ">/dev/null",
    "&>/dev/null",
    ">>",
    "<<x",
    "\r",
    "\t",
  ],
  ...[" evil ", "; evil", "evil\n", "\\\n"],
].filter((token) => token !== "");

/** A command line of tokens that mean something to a shell. */
const line = fc.array(fc.constantFrom(...TOKENS), { maxLength: 8 }).map((tokens) => `ok ${tokens.join("")}`);

/** A folder in which `ok` does nothing and `evil` leaves a file, and nothing else can run. */
function aShell(): { run(command: string): readonly string[] } {
  const bin = join(tempDir(), "bin");
  mkdirSync(bin);
  for (const [name, text] of [
    ["ok", "exit 0"],
    ["evil", ": > evil-ran"],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    run: (command) => {
      const cwd = tempDir();
      for (const shell of ["/bin/sh", "/bin/bash"]) {
        spawnSync(shell, ["-c", command], { cwd, env: { PATH: bin }, stdio: "ignore", timeout: 5000 });
      }
      return readdirSync(cwd);
    },
  };
}

/** Does the policy allow it with `allow: ["ok *"]`? */
function isAllowed(command: string): boolean {
  const { parts, isPlain } = parseCommand(command);
  return isPlain && parts.length > 0 && parts.every((part) => matchesCommand("ok *", part));
}

describe("a parsed command", () => {
  it("that is allowed as a whole runs nothing else and writes no file, in a real shell", () => {
    const shell = aShell();
    fc.assert(
      fc.property(line.filter(isAllowed), (command) => {
        expect(shell.run(command)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "ok >&1x",
    "ok &>/dev/null evil",
    "ok >&1\r",
    "ok\u00a0x",
    "ok2>&1",
    "ok >/dev/nullx",
    "ok '>/dev/null' > x",
    'ok ">/dev/null\n"evil',
    "ok \\\nx",
    "ok x >&2evil",
    "ok '2>&1'; evil",
    "ok # what's\nevil # let's go",
    "ok $'\\'' ; evil ; \\'",
    "ok $\\\n'\\'' ; evil ; \\'",
    "ok \\\n# '\nevil\n# '",
    "ok;# '\nevil\n# '",
    `ok "\${x:-"'"}"\nevil "\${x:-"'"}"`,
    `ok "\${x#'"}"\nevil "\${x#'"}"`,
    "ok x\\\n#'\nevil\n#'",
  ])("%j does nothing in a real shell beyond what it was allowed for", (command) => {
    if (isAllowed(command)) expect(aShell().run(command)).toEqual([]);
  });

  it("never loses a part, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const { parts } = parseCommand(`${text}\nevil x`);
        // Unclosed quotes make it one word; then it is not plain, and no rule can allow it.
        const isFound = parts.some((part) => matchesCommand("evil *", part));
        expect(isFound || !isAllowed(`${text}\nevil x`)).toBe(true);
      }),
    );
  });
});
