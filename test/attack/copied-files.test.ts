import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clone } from "../../src/plugins/workspace/clone/clone.ts";
import { worktree } from "../../src/plugins/workspace/worktree/worktree.ts";
import { writeFiles } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { openWorkspaceFixture } from "../../src/testing/workspace-fixture.ts";

const SECRET = "the user's own key";

/** What a `.worktreeinclude` from a repository lists, so that a file of the user ends up where the agent works. */
const LISTS: readonly (readonly [string, (outside: string) => string])[] = [
  ["everything", () => "*\n**\n/\n.\n"],
  ["folders above", (outside) => `../outside/key\n../../**\n../*/key\n${outside}/key\n`],
  ["absolute paths", (outside) => `/etc/passwd\n/etc/*\n${outside}/**\n/proc/self/environ\n`],
  ["its way out by a link to a folder", () => "out/key\nout/**\nout/\n"],
  ["a link to a file", () => "key-link\n*-link\n"],
  ["git's own folder", () => ".git/config\n.git/**\n**/config\n"],
  ["what no file name is", () => "\u0000\n\\\n[\n!\n#\n-rf\n--\n$(touch x)\n`touch x`\n"],
];

describe.each([
  ["worktree", worktree],
  ["clone", clone],
] as const)("a .worktreeinclude in a %s copies nothing from outside the repository, if it lists", (_, plugin) => {
  it.each(LISTS)("%s", { timeout: 60_000 }, async (_name, list) => {
    const outside = join(tempDir(), "outside");
    writeFiles(outside, { key: SECRET });
    const ignored = ".gitignore\n.worktreeinclude\nout\n*-link\nqueue\nloop\n.env\n";
    const fixture = openWorkspaceFixture((host) =>
      plugin.create(plugin.config.parse({}), host, { home: tempDir(), projectPath: "" }),
    );
    writeFiles(fixture.repo, { ".gitignore": ignored, ".worktreeinclude": list(outside), ".env": "A=1" });
    symlinkSync(outside, join(fixture.repo, "out"));
    symlinkSync(join(outside, "key"), join(fixture.repo, "key-link"));
    symlinkSync(".", join(fixture.repo, "loop"));
    // A pipe that nobody writes to: whoever reads it waits for ever.
    expect(spawnSync("mkfifo", [join(fixture.repo, "queue")]).status).toBe(0);
    const { path } = await fixture.workspace.create(fixture.request("one"));
    expect(filesBelow(path).filter((file) => readFileSync(file, "utf8").includes(SECRET))).toEqual([]);
    for (const name of ["out", "key-link"]) {
      const copy = join(path, name);
      expect(!existsSync(copy) || lstatSync(copy).isSymbolicLink(), name).toBe(true);
    }
    expect(existsSync(join(path, "x"))).toBe(false);
  });
});

/** Regular files, without following a link. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
