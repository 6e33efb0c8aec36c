import { describe, expect, it } from "vitest";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { reach } from "../survival/session.ts";
import { openShell, plainEnvironment, type Shell, type Typed } from "./shell.ts";

const DELIVERED: Typed = { code: 0, out: "delivered\n", err: "" };

async function aFleet(agentConfig: Record<string, unknown> = {}): Promise<{ fleet: Fleet; shell: Shell }> {
  const fleet = await makeFleet({ agentConfig });
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  await shell.ok("new", "talk");
  await shell.ok("wait", "demo-talk", "--for", "idle");
  return { fleet, shell };
}

/** What the agent got after its task, in order. */
function heard(fleet: Fleet): readonly string[] {
  const said = fleet.diary("demo-talk").filter(({ event }) => event === "message" || event === "interrupt");
  return said.map(({ event, text }) => text ?? event);
}

const isInterrupted = { agentStatus: "idle", evidence: "interrupted", summary: "interrupted" };

describe("ao interrupt", () => {
  it("ends the running turn, and the agent takes the next message", async () => {
    const { fleet, shell } = await aFleet();
    expect(await shell.ao("send", "demo-talk", "!hang")).toEqual(DELIVERED);
    expect(await shell.ao("interrupt", "demo-talk")).toEqual(DELIVERED);
    await shell.ok("wait", "demo-talk", "--for", "idle");
    expect(await fleet.session("demo-talk")).toMatchObject(isInterrupted);
    expect(await shell.ao("send", "demo-talk", "go on")).toEqual(DELIVERED);
    expect(heard(fleet)).toEqual(["!hang", "interrupt", "go on"]);
    expect(await shell.ok("logs", "demo-talk", "--timeline")).toMatch(/interrupt requested[\s\S]*interrupted/);
    expect(await shell.ok("inbox")).toBe("Inbox is empty\n");
  });

  it("works during a question, closes it, and drops no waiting message", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("send", "demo-talk", "!ask Which one?|a|b");
    await reach(fleet, "demo-talk", "asked", ({ question }) => question !== null);
    expect((await shell.ao("send", "demo-talk", "later")).out).toMatch(/^queued: .*question/);
    const { pid } = fleet.diary("demo-talk").at(-1) ?? { pid: 0 };
    process.kill(pid, "SIGSTOP");
    expect(await shell.json("interrupt", "demo-talk")).toMatchObject({ kind: "interrupt", delivery: "delivered" });
    expect((await fleet.session("demo-talk")).question).not.toBeNull();
    process.kill(pid, "SIGCONT");
    // The summary of the task's own turn would do for "done" alone.
    const after = await reach(
      fleet,
      "demo-talk",
      "done with what waited",
      ({ agentStatus, messages }) =>
        agentStatus === "idle" && messages.every(({ delivery }) => delivery === "delivered"),
    );
    expect(after.question).toBeNull();
    expect(heard(fleet)).toEqual(["!ask Which one?|a|b", "interrupt", "later"]);
  });

  it("works during a pause, and happens once per idempotency key", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("send", "demo-talk", "!hang");
    await shell.ok("pause");
    const path = "/api/sessions/demo-talk/interrupt";
    const asked = await fleet.write<{ messageId: string }>("POST", path, undefined, "key-1");
    expect(asked.status).toBe(202);
    await reach(fleet, "demo-talk", "interrupted", ({ summary }) => summary === "interrupted");
    expect(await fleet.write("POST", path, undefined, "key-1")).toEqual(asked);
    expect(heard(fleet)).toEqual(["!hang", "interrupt"]);
  });

  it("does nothing for an agent without a turn", async () => {
    const { fleet, shell } = await aFleet();
    const typed = await shell.ao("interrupt", "demo-talk");
    expect(typed).toMatchObject({ code: 1, out: "" });
    expect(typed.err).toMatch(/Nothing to interrupt.*\nhint: `ao status demo-talk`/);
    expect(heard(fleet)).toEqual([]);
  });

  it("is refused for an agent with one process per message", async () => {
    const { shell } = await aFleet({ command: ["cat"], protocol: "oneshot" });
    const typed = await shell.ao("interrupt", "demo-talk");
    expect(typed.err).toMatch(/one process per message.*\nhint: `ao stop demo-talk`/);
  });
});

describe("ao send --interrupt", () => {
  it("ends the turn first, if there is one", async () => {
    const { fleet, shell } = await aFleet();
    await shell.ok("send", "demo-talk", "!hang");
    expect(await shell.ao("send", "demo-talk", "--interrupt", "do it the other way")).toEqual(DELIVERED);
    await shell.ok("wait", "demo-talk", "--for", "idle");
    expect(await shell.ao("send", "demo-talk", "--interrupt", "and this")).toEqual(DELIVERED);
    expect(heard(fleet)).toEqual(["!hang", "interrupt", "do it the other way", "and this"]);
  });

  it("sends nothing when the agent cannot be interrupted", async () => {
    const { fleet, shell } = await aFleet({ command: ["cat"], protocol: "oneshot" });
    const before = (await fleet.session("demo-talk")).messages;
    expect(await shell.ao("send", "demo-talk", "--interrupt", "so")).toMatchObject({ code: 1, out: "" });
    expect((await fleet.session("demo-talk")).messages).toEqual(before);
  });
});
