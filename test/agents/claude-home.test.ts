import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { makePlace } from "./support/bridge.ts";
import { claude, claudeEnvironment, commit, makeClaudeBench } from "./support/claude.ts";

/** Names below a folder, without what differs from run to run: ids, times, paths. */
function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return [...new Set(files.map(withoutChance))].sort();
}

function withoutChance(name: string): string {
  return name
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/projects\/[^/]+/, "projects/P")
    .replace(/-[0-9a-z]{6}(?=\.\w+$)/, "-X")
    .replace(/\d{6,}/g, "N");
}

describe.skipIf(claude === null)("what Claude Code writes", { timeout: 120_000 }, () => {
  it("in the user's home and in the repository is the same with ao as alone", async () => {
    const bench = await makeClaudeBench();
    const prompt = `[[run: ${commit("one")}]] [[say: over]]`;
    const alone = makePlace();
    const flags = ["--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"];
    const run = promisify(execFile)(
      String(claude),
      ["-p", ...flags, "--permission-mode", "acceptEdits", "--", prompt],
      {
        cwd: alone.workspace,
        env: {
          ...{ PATH: process.env["PATH"], HOME: alone.home, TMPDIR: join(alone.home, "../tmp"), LANG: "C.UTF-8" },
          ...{ GIT_CONFIG_GLOBAL: "/dev/null", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
          ...claudeEnvironment(bench.model),
        },
      },
    );
    run.child.stdin?.end();
    await run;
    const bridge = bench.start();
    bridge.send({ id: "m1", kind: "task", text: prompt });
    await bridge.hear({ type: "done" });
    await bridge.end();
    expect(filesBelow(bench.place.home)).toEqual(filesBelow(alone.home));
    expect(git(bench.place.workspace, "status", "--porcelain")).toBe("");
    expect(readdirSync(bench.place.workspace).sort()).toEqual(readdirSync(alone.workspace).sort());
    expect(git(bench.place.repo, "config", "--local", "--list")).toBe(git(alone.repo, "config", "--local", "--list"));
  });
});
