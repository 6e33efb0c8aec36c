import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude, commit, makeClaudeBench } from "./support/claude.ts";

describe.skipIf(claude === null)("a question of Claude Code", { timeout: 120_000 }, () => {
  it("about a tool is answered through ao: once, always, or no", async () => {
    const { place, model, start, commits } = await makeClaudeBench();
    const bridge = start({ permissions: "ask", allow: [] });
    const steps = [commit("one"), "mkdir two", "mkdir two/three", "mkdir four"].map((command) => `[[run: ${command}]]`);
    bridge.send({ id: "m1", kind: "task", text: `${steps.join(" ")} [[say: over]]` });
    const first = await bridge.hear({ type: "ask" });
    expect(first).toMatchObject({ kind: "permission", question: expect.stringContaining("Bash: echo one") });
    expect(commits()).toEqual([]);
    bridge.send({ id: "m2", kind: "message", text: "While it waits." });
    bridge.send({ id: String(first["id"]), kind: "answer", text: "allow" });
    const second = await bridge.hear({ type: "ask" }, 2);
    expect(second["choices"]).toEqual(["allow", "allow always", "deny"]);
    expect(commits()).toEqual(["one"]);
    bridge.send({ id: String(second["id"]), kind: "answer", text: "allow always" });
    for (let n = 3; ; n += 1) {
      const next = await Promise.race([bridge.hear({ type: "ask" }, n), bridge.hear({ type: "done" })]);
      if (next.type === "done") break;
      bridge.send({ id: String(next["id"]), kind: "answer", text: "deny" });
    }
    expect(existsSync(join(place.workspace, "two"))).toBe(true);
    expect(existsSync(join(place.workspace, "four"))).toBe(false);
    expect(model.countInLast("While it waits.")).toBe(1);
    expect(readdirSync(place.workspace)).not.toContain(".claude");
    await bridge.end();
  });

  it("to the user has its own choices", async () => {
    const { model, start } = await makeClaudeBench();
    const bridge = start();
    const option = (label: string): object => ({ label, description: label });
    const questions = ["Which color?", "Which size?"].map((question) => ({
      question,
      header: "Look",
      options: [option("red"), option("blue")],
      multiSelect: false,
    }));
    bridge.send({
      id: "m1",
      kind: "task",
      text: `[[tool: AskUserQuestion ${JSON.stringify({ questions })}]] [[say: thanks]]`,
    });
    const first = await bridge.hear({ type: "ask" });
    expect(first).toMatchObject({ kind: "question", question: "Which color?", choices: ["red", "blue"] });
    bridge.send({ id: String(first["id"]), kind: "answer", text: "blue" });
    const second = await bridge.hear({ type: "ask", question: "Which size?" });
    bridge.send({ id: String(second["id"]), kind: "answer", text: "red" });
    await bridge.hear({ type: "done", summary: "thanks" });
    const [result] = (model.calls.at(-1)?.turns ?? []).filter(({ by }) => by === "tool");
    expect(JSON.parse(result?.text ?? "")).toMatch(/"Which color\?"="blue".*"Which size\?"="red"/);
    await bridge.end();
  });
});
