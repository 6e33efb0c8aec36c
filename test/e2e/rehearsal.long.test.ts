import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { git } from "../../src/testing/git-repo.ts";
import { type Fleet, makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { runAo } from "./survival/ao.ts";
import { begin, open, reach, tell } from "./survival/session.ts";

const SCRIPT = {
  pace: 0,
  scenes: [
    {
      when: { kind: "task", matches: "sum" },
      do: [
        { note: "writing" },
        { write: { path: "sum.js", text: "a - b\n" } },
        { commit: "Add the sum for {{session}}" },
        { usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.25 } },
        {
          ask: {
            question: "With notes?",
            choices: ["yes", "no"],
            // biome-ignore lint/suspicious/noThenProperty: a word of the script
            then: { yes: [{ append: { path: "NOTES.md", text: "notes\n" } }, { commit: "Add notes" }] },
          },
        },
        { done: "the sum is there" },
      ],
    },
    {
      when: { kind: "message", matches: "failed" },
      do: [
        { crash: { signal: "SIGKILL" } },
        { replace: { path: "sum.js", find: "-", with: "+" } },
        { commit: "Fix the sum" },
        { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.5 } },
        { done: "fixed" },
      ],
    },
    { when: { kind: "task" }, do: [{ done: "" }] },
  ],
};

function makeStage(options: { script?: string; project?: Record<string, unknown> } = {}): Promise<Fleet> {
  return makeFleet({
    files: { "README.md": "# sample\n", "play.yaml": options.script ?? stringify(SCRIPT) },
    project: { agent: "rehearsal", agentConfig: { script: "play.yaml" }, ...options.project },
  });
}

describe("the agent rehearsal under the daemon", () => {
  it("works, asks, dies, resumes, fixes its mistake, and reports the session's cost", async () => {
    const fleet = await makeStage();
    await open(fleet);
    const { body, status } = await fleet.write<{ id: string }>("POST", "/api/sessions", {
      title: "one",
      prompt: "a sum",
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const asking = await reach(fleet, body.id, "asking", ({ question }) => question !== null);
    const folder = asking.workspacePath ?? "";
    expect(git(folder, "log", "--format=%s")).toBe(`Add the sum for ${body.id}\nfirst\n`);
    const answered = await fleet.write("POST", `/api/sessions/${body.id}/permission`, { choice: "yes" });
    expect(answered.status, JSON.stringify(answered.body)).toBe(200);
    await reach(fleet, body.id, "done", (session) => session.agentStatus === "idle");

    await tell(fleet, body.id, "The check failed: 3 is not 1");
    const fixed = await until("the fix", async () => {
      const session = await fleet.session(body.id);
      return session.agentStatus === "idle" && session.cost.costUsd === 0.75 ? session : null;
    });
    expect(fixed.cost).toMatchObject({ inputTokens: 110, outputTokens: 25, costUsd: 0.75 });
    expect(git(folder, "log", "--format=%s")).toBe(`Fix the sum\nAdd notes\nAdd the sum for ${body.id}\nfirst\n`);
    expect(readFileSync(join(folder, "sum.js"), "utf8")).toBe("a + b\n");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(fixed.messages.map(({ delivery }) => delivery)).toEqual(fixed.messages.map(() => "delivered"));
  });

  it("is a valid choice, and an invalid script is reported before anything is created", async () => {
    const fleet = await makeStage({ script: "scenes: [{ do: [{ wait: soon }] }]\n" });
    await open(fleet);
    const checked = await runAo(fleet, "config", "validate");
    expect(checked).toMatchObject({ code: 0 });
    expect(`${checked.stdout}${checked.stderr}`).not.toMatch(/not in (effect|this version)/);
    const refused = await fleet.write<{ error: string }>("POST", "/api/sessions", { title: "one", prompt: "x" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(refused.body)).toContain("scenes.0.do.0.wait: expected a time");
    expect(git(fleet.repo, "branch", "--list", "agent/*")).toBe("");
  });

  it("is refused a terminal", async () => {
    const fleet = await makeStage({ project: { runtime: "tmux" } });
    await open(fleet);
    const refused = await fleet.write("POST", "/api/sessions", { title: "one", prompt: "x" });
    expect(JSON.stringify(refused.body)).toContain("has no terminal");
  });

  it("ignores a message without a matching scene, and keeps sessions apart", async () => {
    const fleet = await makeStage();
    await open(fleet);
    const [one, two] = [await begin(fleet, "one", "anything"), await begin(fleet, "two", "anything")];
    expect(one.workspacePath).not.toBe(two.workspacePath);
    await tell(fleet, two.id, "unknown words");
    await reach(fleet, two.id, "idle", (session) => session.agentStatus === "idle");
  });
});
