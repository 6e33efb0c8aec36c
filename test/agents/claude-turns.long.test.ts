import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { processesOf } from "./support/bridge.ts";
import { claude, commit, makeClaudeBench } from "./support/claude.ts";
import { isWhole } from "./support/programs.ts";
import type { Said } from "./support/transcript.ts";

describe.skipIf(claude === null)("Claude Code", () => {
  it("takes a task, uses a tool, commits in the worktree and reports its usage", async () => {
    const { place, model, start, commits } = await makeClaudeBench();
    const bridge = start();
    bridge.send({ id: "m1", kind: "task", text: `[[run: ${commit("one")}]] [[say: It is done.]]` });
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "It is done." });
    expect(commits()).toEqual(["one"]);
    expect(bridge.said().map(({ type }) => type)).toEqual(["conversation", "received", "status", "usage", "done"]);
    expect(bridge.told()).toEqual([
      expect.stringMatching(/^tool Bash: echo one/),
      expect.stringMatching(/^ok: /),
      "say: It is done.",
    ]);
    expect(await bridge.hear({ type: "usage" })).toMatchObject({
      ...model.handedOut(),
      ...{ cachedTokens: model.handedOutCached(), costUsd: expect.any(Number), model: model.calls[0]?.model },
    });
    expect(await bridge.end()).toEqual({ code: 0, stderr: "" });
    expect(processesOf(place)).toEqual([]);
  });

  it("has the brief in its system prompt and gets the task unchanged", async () => {
    const { place, model, start } = await makeClaudeBench();
    const brief = join(place.home, "brief.md");
    writeFileSync(brief, "# When you are done\n\nCommit, in ünïcödé.\n");
    const bridge = start({}, { AO_BRIEF: brief });
    bridge.send({ id: "m1", kind: "task", text: "Fix it.\n\n [[say: read]]\n" });
    await bridge.hear({ type: "done", summary: "read" });
    expect(model.isInLast("Commit, in ünïcödé.")).toBe(true);
    expect(model.countInLast("Commit, in ünïcödé.")).toBe(0);
    expect(model.countInLast("Fix it.\n\n [[say: read]]\n")).toBe(1);
    await bridge.end();
  });

  // headless.long.test.ts and test/e2e/cli/send.long.test.ts have it in `npm test`.
  it.runIf(isWhole)("gets a complete message of one megabyte", async () => {
    const { model, start } = await makeClaudeBench();
    const text = `[[say: read]] ${'äöü \\ " \t 🎉 line\n'.repeat(52_000)}end`;
    expect(Buffer.byteLength(text)).toBeGreaterThan(1024 * 1024);
    const bridge = start();
    bridge.send({ id: "m1", kind: "task", text });
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "read" });
    expect(model.countInLast(text)).toBe(1);
    await bridge.end();
  });

  it("gets a message once in the middle of a turn and works on it in the same turn", async () => {
    const { model, start, commits } = await makeClaudeBench();
    const bridge = start();
    bridge.send({ id: "m1", kind: "task", text: `[[hold: h]] [[run: ${commit("one")}]] [[say: first]]` });
    await until("the model to be asked", () => model.isHolding("h"));
    bridge.send({ id: "m2", kind: "message", text: `Also this. [[run: ${commit("two")}]] [[say: both]]` });
    bridge.send({ id: "m3", kind: "message", text: "And that. [[say: all three]]" });
    model.release("h");
    await bridge.hear({ type: "received", id: "m3" });
    await bridge.hear({ type: "done", summary: "all three" });
    expect(commits()).toContain("one");
    expect(model.countInLast("Also this.")).toBe(1);
    expect(model.countInLast("And that.")).toBe(1);
    const receipts = bridge.said().filter(({ type }) => type === "received");
    expect(receipts.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
    await bridge.end();
  });

  it("ends its turn when interrupted and takes the next message", async () => {
    const { model, start } = await makeClaudeBench();
    const bridge = start();
    bridge.send({ id: "m1", kind: "task", text: "[[hold: h]] [[say: never]]" });
    await until("the model to be asked", () => model.isHolding("h"));
    await bridge.hear({ type: "received", id: "m1" });
    bridge.sendLine('{"type":"interrupt","id":"i1"}');
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "interrupted" });
    bridge.send({ id: "m2", kind: "message", text: "[[say: here]]" });
    await bridge.hear({ type: "done", summary: "here" });
    await bridge.end();
  });

  // src/bridge/drivers/claude/claude.test.ts reads the recordings of such answers in `npm test`.
  it.runIf(isWhole)("says why a request failed and continues with the next message", async () => {
    const { start } = await makeClaudeBench();
    const bridge = start();
    const failures = [
      [401, { state: "errored" }, /not logged in.*ANTHROPIC_API_KEY/],
      [429, { state: "rate-limited" }, /API Error.*429/],
      [500, { state: "rate-limited", cause: "outage" }, /API Error.*500/],
      [400, { state: "errored" }, /API Error.*400/],
    ] as const;
    for (const [status, state, words] of failures) {
      bridge.send({ id: `m${status}`, kind: "message", text: `[[error: ${status}]] [[error: ${status}]]` });
      await bridge.hear({ type: "received", id: `m${status}` });
      const last = (): Said | undefined => bridge.said().at(-1);
      await until("the end", () => words.test(String(last()?.["note"])));
      expect(last()).toMatchObject({ type: "status", ...state });
    }
    // The program's own retry.
    const retry = bridge.said().find(({ note }) => String(note).startsWith("HTTP 429"));
    expect(retry).toMatchObject({ state: "rate-limited", until: expect.any(String) });
    bridge.send({ id: "m2", kind: "message", text: "[[say: fine again]]" });
    await bridge.hear({ type: "done", summary: "fine again" });
    await bridge.end();
  });

  it("does only what the policy allows", async () => {
    const { place, start } = await makeClaudeBench();
    const bridge = start({ permissions: "ask", allow: ["touch *"], deny: ["touch b", "./secret/**"] });
    const script = [
      "[[run: touch a]] [[run: touch b]]",
      `[[tool: Write ${JSON.stringify({ file_path: join(place.workspace, "secret/c"), content: "c" })}]]`,
      "[[say: over]]",
    ];
    bridge.send({ id: "m1", kind: "task", text: script.join(" ") });
    await bridge.hear({ type: "done", summary: "over" });
    expect(readFileSync(join(place.workspace, "a"), "utf8")).toBe("");
    expect(() => readFileSync(join(place.workspace, "b"))).toThrow("ENOENT");
    expect(() => readFileSync(join(place.workspace, "secret/c"))).toThrow("ENOENT");
    expect(bridge.said().some(({ type }) => type === "ask")).toBe(false);
    await bridge.end();
  });
});
