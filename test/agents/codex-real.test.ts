import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { makePlace, processesOf, startBridge } from "./support/bridge.ts";
import { CODEX_FACTS, codex, codexEnvironment, configOf } from "./support/codex.ts";
import { DEATHS, describeDriverContract, TASK } from "./support/driver-contract.ts";
import { startModelServer } from "./support/model-server.ts";
import { isWhole } from "./support/programs.ts";

describe.skipIf(codex === null)("the real codex", () => {
  describeDriverContract({
    name: "Codex",
    ...CODEX_FACTS,
    limitMs: PATIENCE_MS,
    ...(isWhole ? {} : { only: [TASK, DEATHS[0]] }),
  });

  it("commits from its sandbox in a linked worktree without changing the user's configuration", async () => {
    const place = makePlace();
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const settings = { command: [codex], permissions: "edits" };
    const bridge = startBridge(place, "codex", settings, codexEnvironment(place, model));
    const text = "[[run: touch a.txt && git add -A && git commit -q -m inside]] [[say: over]]";
    bridge.send({ id: "m1", kind: "task", text });
    await bridge.hear({ type: "done", summary: "over" });
    expect(git(place.workspace, "log", "--format=%s", "main..").trim()).toBe("inside");
    bridge.send({ id: "m2", kind: "message", text: "[[run: touch ../outside.txt]] [[say: over]]" });
    await bridge.hear({ type: "done" }, 2);
    expect(existsSync(join(place.workspace, "../outside.txt"))).toBe(false);
    expect(bridge.said().some(({ type }) => type === "ask")).toBe(false);
    await bridge.end();
    expect(readFileSync(join(place.home, ".codex/config.toml"), "utf8")).toBe(configOf(model));
    expect(processesOf(place)).toEqual([]);
  });
});
