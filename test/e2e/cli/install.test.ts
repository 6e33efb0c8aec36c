import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { npm } from "./npm.ts";
import { root, run } from "./shell.ts";

/** What a clone of this tree would contain: every tracked or untracked, not ignored file. */
function freshClone(dir: string): string {
  const clone = join(dir, "clone");
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const name of listed.toString("utf8").split("\0").filter(Boolean)) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(clone, name));
  }
  return clone;
}

// It installs three hundred packages and builds everything once more. `npm test` runs the same command with the packages and the build of this tree.
it.skipIf(!isFull)(
  "`npm install -g .` in a fresh clone puts a working ao on the PATH (only in test:full)",
  async () => {
    const dir = tempDir("ao-install-");
    const clone = freshClone(dir);
    await npm(clone, "install", "-g", "--prefix", join(dir, "prefix"), "--prefer-offline", ".");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const env = { PATH: `${join(dir, "prefix/bin")}:${process.env["PATH"]}`, HOME: dir };
    expect(await run("ao", ["--version"], { cwd: dir, env })).toEqual({ code: 0, out: `${version}\n`, err: "" });
    // Needs a package of ours besides the CLI's own file.
    expect(await run("ao", ["config", "schema"], { cwd: dir, env })).toMatchObject({ code: 0, err: "" });
  },
);
