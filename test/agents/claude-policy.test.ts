import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import type { RunningBridge } from "./support/bridge.ts";
import { claude, claudeEnvironment, makeClaudeBench } from "./support/claude.ts";
import { describeDriverContract, UNLISTED } from "./support/driver-contract.ts";

/** Runs each command in a turn of its own, denies what is asked, and returns what was. */
async function askedOf(bridge: RunningBridge, steps: readonly string[]): Promise<readonly string[]> {
  const asked: string[] = [];
  for (const [n, step] of steps.entries()) {
    bridge.send({ id: `m${n}`, kind: "message", text: `${step} [[say: turn ${n}]]` });
    const done = bridge.hear({ type: "done", summary: `turn ${n}` });
    const next = await Promise.race([bridge.hear({ type: "ask" }, asked.length + 1), done]);
    if (next.type !== "ask") continue;
    asked.push(step);
    bridge.send({ id: String(next["id"]), kind: "answer", text: "deny" });
    await done;
  }
  return asked;
}

describe.skipIf(claude === null)("what Claude Code does without asking", () => {
  describeDriverContract({
    name: "Claude Code",
    program: "claude-code",
    driver: "claude",
    settings: () => ({ command: [claude] }),
    environment: (_, model) => claudeEnvironment(model),
    loosen: (place) => {
      mkdirSync(join(place.home, ".claude"), { recursive: true });
      const settings = { permissions: { defaultMode: "bypassPermissions" } };
      writeFileSync(join(place.home, ".claude/settings.json"), JSON.stringify(settings));
      return {};
    },
    // The other facts about it have tests of their own.
    only: [UNLISTED],
    process: String(claude),
    usage: "calls",
    errors: [],
    limitMs: PATIENCE_MS,
  });

  it("under `permissions: edits` is to edit in its workspace, and to run what is allowed", async () => {
    const { place, start } = await makeClaudeBench();
    const own = (name: string): string => join(place.workspace, name);
    for (const name of ["a", "b", "c"]) writeFileSync(own(name), "a\n");
    mkdirSync(own("d"));
    const write = (path: string): string => `[[tool: Write ${JSON.stringify({ file_path: path, content: "x" })}]]`;
    const free = [write(own("new.md")), write(own("sub/new.md")), "[[run: git add -A && git commit -q -m x]]"];
    const held = [
      ...["rm -rf d", "rm -f a && git add -A", "mv b b2", "touch t", "mkdir m", "sed -i s/a/b/ c", "cp c c2"],
    ].map((command) => `[[run: ${command}]]`);
    const outside = write(join(place.home, "outside.md"));
    const bridge = start({ permissions: "edits", allow: ["git add *", "git commit *"] });
    expect(await askedOf(bridge, [...free, ...held, outside])).toEqual([...held, outside]);
    expect(["new.md", "sub/new.md", "a", "d", "b"].map((name) => existsSync(own(name)))).toEqual(Array(5).fill(true));
    await bridge.end();
  });

  it("is never what `ask` names, even if `allow` covers it", async () => {
    const { start } = await makeClaudeBench();
    const bridge = start({ permissions: "edits", allow: ["git *"], ask: ["git push *"] });
    const steps = ["git status", "git push --dry-run", "git status && git push"].map(
      (command) => `[[run: ${command}]]`,
    );
    expect(await askedOf(bridge, steps)).toEqual(steps.slice(1));
    await bridge.end();
  });
});
