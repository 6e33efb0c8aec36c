import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, replaceObject, writeFiles } from "../../../testing/git-repo.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "../worktree/worktree.ts";
import { clone } from "./clone.ts";

const FORMS = [
  ["a clone", false],
  ["a worktree of a session in a sandbox", true],
] as const;

type Commit = (tree: string, ...parents: readonly string[]) => string;

/** What an agent does to its repository, given its folder; each makes the branch one that must not be taken over. */
const HOSTILE: readonly (readonly [name: string, words: RegExp, spoil: (path: string, commit: Commit) => void])[] = [
  [
    "a file of which the content was replaced",
    /are not complete|broken|did not receive/,
    (path, commit) => {
      writeFiles(path, { "app.py": "print(1)\n" });
      const blob = git(path, "hash-object", "-w", "app.py").trim();
      commit(tree(path, `100644 blob ${blob}\tapp.py`));
      replaceObject(path, blob, { type: "blob", content: "import os\n" });
    },
  ],
  [
    "a commit whose parent does not exist",
    /cannot be read|not complete/,
    (path) => {
      const body = `tree ${git(path, "rev-parse", "HEAD^{tree}").trim()}\nparent ${"1".repeat(40)}\n${WHO}\n\nx\n`;
      git(path, "update-ref", "refs/heads/agent/one", "HEAD");
      writeFileSync(join(path, ".git/refs/heads/agent/one"), `${raw(path, "commit", body)}\n`);
    },
  ],
  ["a folder named .git", /hasDotgit/, (path, commit) => commit(entry(path, "40000", ".git", "tree"))],
  ["a folder named ..", /hasDotdot/, (path, commit) => commit(entry(path, "40000", "..", "tree"))],
  ["two files of one name", /duplicateEntries/, (path, commit) => commit(entry(path, "100644", "a", "blob", 2))],
  [
    "a file with a mode that git never writes",
    /zeroPaddedFilemode/,
    (path, commit) => commit(entry(path, "0100644", "a", "blob")),
  ],
  [
    "a .gitmodules that names a command",
    /gitmodulesUrl|gitmodulesPath/,
    (path, commit) => {
      const text = '[submodule "a"]\n\tpath = a\n\turl = -u./payload\n';
      commit(tree(path, `100644 blob ${raw(path, "blob", text)}\t.gitmodules`));
    },
  ],
  [
    "a commit without an author",
    /missingEmail|missingAuthor|missingNameBeforeEmail|invalid/i,
    (path) => {
      const body = `tree ${git(path, "rev-parse", "HEAD^{tree}").trim()}\ncommitter x\n\nx\n`;
      writeFileSync(join(path, ".git/refs/heads/agent/one"), `${raw(path, "commit", body)}\n`);
    },
  ],
  [
    "a few folders that are a huge number of files",
    /change more than 500000 files/,
    (path, commit) => {
      const line = (type: string, mode: string, object: string): string[] =>
        Array.from({ length: 10 }, (_, at) => `${mode} ${type} ${object}\t${at}`);
      let at = tree(path, ...line("blob", "100644", raw(path, "blob", "x")));
      for (let level = 0; level < 6; level += 1) at = tree(path, ...line("tree", "040000", at));
      commit(at);
    },
  ],
];
const WHO = "author a <a@example.com> 1 +0000\ncommitter a <a@example.com> 1 +0000";

describe.each(FORMS)("what %s publishes", (_, isSandboxed) => {
  it.each(HOSTILE)("is not %s", async (__, words, spoil) => {
    const home = tempDir();
    const context = { home, projectPath: "" };
    const { workspace, repo, request, refOf } = openWorkspaceFixture((host) =>
      isSandboxed
        ? inSandbox(worktree.create(worktree.config.parse({}), host, context))
        : clone.create(clone.config.parse({}), host, context),
    );
    const info = await workspace.create(request("one"));
    spoil(info.path, (at, ...parents) => {
      const all = [info.head, ...parents].flatMap((parent) => ["-p", parent]);
      const made = git(info.path, "commit-tree", at, ...all, "-m", "work").trim();
      git(info.path, "update-ref", "refs/heads/agent/one", made);
      return made;
    });
    const ref = refOf(info, request("one"));
    await expect(workspace.publish?.(ref)).rejects.toMatchObject({ message: expect.stringMatching(words) });
    expect(git(repo, "rev-parse", "agent/one").trim()).toBe(info.head);
    expect(git(repo, "fsck", "--full", "--strict", "--no-dangling", "--no-progress")).toBe("");
    expect(readdirSync(join(repo, ".git/objects/pack")).filter((name) => name.endsWith(".keep"))).toEqual([]);
    expect(readdirSync(join(repo, ".git/ao-incoming"))).toEqual([]);
  });
});

function raw(path: string, type: string, body: string | Buffer): string {
  const args = ["hash-object", "-t", type, "-w", "--stdin", "--literally"];
  return execFileSync("git", args, { cwd: path, input: body, encoding: "utf8" }).trim();
}

function tree(path: string, ...lines: readonly string[]): string {
  return execFileSync("git", ["mktree", "--missing"], {
    cwd: path,
    input: `${lines.join("\n")}\n`,
    encoding: "utf8",
  }).trim();
}

/** A tree that git itself would not write. */
function entry(path: string, mode: string, name: string, type: "blob" | "tree", times = 1): string {
  const object = type === "blob" ? raw(path, "blob", "x") : tree(path, `100644 blob ${raw(path, "blob", "x")}\tf`);
  const one = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, "hex")]);
  return raw(path, "tree", Buffer.concat(Array.from({ length: times }, () => one)));
}
