import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { MessageView, SessionDetailView } from "../../../src/protocol/views/session.ts";
import { type Fleet, makeFleet, processesOf } from "../../support/fleet.ts";
import { killAll } from "../../support/kill-all.ts";
import { until } from "../../support/until.ts";
import { ao } from "./ao.ts";
import { eventsOf, inboxOf, reach } from "./session.ts";

const faultyDaemon = fileURLToPath(new URL("../../fixtures/faulty-daemon.mjs", import.meta.url));
const program = fileURLToPath(new URL("../../fixtures/bin/oneshot-agent.sh", import.meta.url));

interface Turns {
  readonly fleet: Fleet;
  readonly id: string;
  /** What each started process got, in order, without the brief after the first message. */
  inputs(): readonly string[];
  /** Releases the turns that wait for this name. */
  release(name: string): void;
  send(content: string): Promise<string>;
  settled(messageId: string): Promise<MessageView>;
}

async function beginTurns(prompt: string, options: { readonly dieAt?: string } = {}): Promise<Turns> {
  const fleet = await makeFleet({
    agentConfig: { command: [program], protocol: "oneshot" },
    ...(options.dieAt === undefined ? {} : { entry: faultyDaemon }),
  });
  const diary = (name: string): string => join(fleet.dir, "diary", name);
  await fleet.start(options.dieAt === undefined ? {} : { AO_FAULT_AT: options.dieAt });
  await fleet.write("POST", "/api/projects", { path: fleet.repo });
  const { body } = await fleet.api<SessionDetailView>("POST", "/api/sessions", { title: "one", prompt });
  const { id } = body;
  const find = (session: SessionDetailView, messageId: string): MessageView | undefined =>
    session.messages.find((message) => message.id === messageId);
  return {
    fleet,
    id,
    inputs: () => {
      if (!existsSync(diary("starts"))) return [];
      const pids = readFileSync(diary("starts"), "utf8").trimEnd().split("\n");
      const whole = pids.map((pid) =>
        existsSync(diary(`${pid}.in`)) ? readFileSync(diary(`${pid}.in`), "utf8") : "…",
      );
      const brief = join(fleet.home, "sessions", id, "bridge/brief-1.md");
      const end = existsSync(brief) ? `\n\n${readFileSync(brief, "utf8")}` : "";
      return whole.map((text) => (end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text));
    },
    release: (name) => writeFileSync(diary(name), ""),
    send: async (content) =>
      (await fleet.write<{ messageId: string }>("POST", `/api/sessions/${id}/message`, { content })).body.messageId,
    settled: async (messageId) => {
      const over = ["delivered", "failed", "unknown"];
      const session = await reach(fleet, id, `over with ${messageId}`, (now) =>
        over.includes(find(now, messageId)?.delivery ?? ""),
      );
      return find(session, messageId) as MessageView;
    },
  };
}

async function firstMessage({ fleet, id }: Turns): Promise<string> {
  return (await fleet.session(id)).messages[0]?.id ?? "";
}

describe("a program that runs once per message", () => {
  it("gets each text byte for byte on stdin, one turn at a time", async () => {
    const turns = await beginTurns("first\n!await go");
    const texts = ["plain", `"quotes" 'and' $(sh) \\n\r\n\ttabs é 漢 🙂\u0000 end`, `long ${"ü".repeat(150_000)}\n\n`];
    await until("the first turn to run", () => turns.inputs()[0] === "first\n!await go");
    const ids = [await turns.send(texts[0]!), await turns.send(texts[1]!), await turns.send(texts[2]!)];
    const { messages } = await turns.fleet.session(turns.id);
    expect(messages.slice(1).map((message) => message.delivery)).toEqual(["queued", "queued", "queued"]);
    expect(turns.inputs()).toHaveLength(1);
    turns.release("go");
    for (const id of ids) expect((await turns.settled(id)).delivery).toBe("delivered");
    expect(turns.inputs()).toEqual(["first\n!await go", ...texts]);
    const session = await reach(turns.fleet, turns.id, "idle", (now) => now.agentStatus === "idle");
    expect(session.evidence).toContain("exit code 0");
    expect(await ao(turns.fleet, "logs", turns.id)).toMatch(/(turn of \d+ is over[\s\S]*){4}/);
    expect(processesOf(turns.fleet.home)).toEqual([]);
  });

  it("fails its turn if it exits with another code: not retried, shown in the inbox, and the next message runs", async () => {
    const turns = await beginTurns("bad\n!exit 3");
    const failed = await turns.settled(await firstMessage(turns));
    expect(failed).toMatchObject({ delivery: "failed", reason: "exit code 3" });
    expect(await turns.fleet.session(turns.id)).toMatchObject({ status: "errored", state: "error" });
    expect(await inboxOf(turns.fleet, turns.id)).toMatchObject([{ kind: "turn-failed" }]);
    expect(await ao(turns.fleet, "inbox")).toContain("exit code 3");
    await turns.fleet.kill();
    await turns.fleet.start();
    expect(await inboxOf(turns.fleet, turns.id)).toMatchObject([{ kind: "turn-failed" }]);
    expect((await turns.settled(await turns.send("good"))).delivery).toBe("delivered");
    expect(turns.inputs()).toEqual(["bad\n!exit 3", "good"]);
    expect(await inboxOf(turns.fleet, turns.id)).toEqual([]);
  });

  it("is not restarted if the daemon dies during a turn, and its result is recorded once", async () => {
    const turns = await beginTurns("first\n!await go");
    await until("the first turn to run", () => turns.inputs()[0] === "first\n!await go");
    const waiting = await turns.send("second");
    await turns.fleet.kill();
    await turns.fleet.start();
    await reach(turns.fleet, turns.id, "adopted", ({ run }) => run.n === 1 && run.state === "alive");
    await turns.fleet.kill();
    turns.release("go");
    await until("the program to end without a daemon", () => processesOf(turns.fleet.home).length === 0);
    await turns.fleet.start();
    expect((await turns.settled(await firstMessage(turns))).delivery).toBe("delivered");
    expect((await turns.settled(waiting)).delivery).toBe("delivered");
    expect(turns.inputs()).toEqual(["first\n!await go", "second"]);
    const ends = (await eventsOf(turns.fleet, turns.id)).filter((type) => type === "run.ended");
    expect(ends).toHaveLength(2);
  });

  it("that failed while no daemon ran fails its turn once", async () => {
    const turns = await beginTurns("first\n!await go\n!exit 3");
    await until("the first turn to run", () => turns.inputs().some((text) => text.startsWith("first")));
    await turns.fleet.kill();
    turns.release("go");
    await until("the program to end without a daemon", () => processesOf(turns.fleet.home).length === 0);
    await turns.fleet.start();
    expect(await turns.settled(await firstMessage(turns))).toMatchObject({ delivery: "failed", reason: "exit code 3" });
    expect(turns.inputs()).toHaveLength(1);
    expect(await inboxOf(turns.fleet, turns.id)).toMatchObject([{ kind: "turn-failed" }]);
  });

  it.each([
    ["while the daemon looks on", {}],
    ["while no daemon runs", {}],
    ["before its start was recorded", { dieAt: "execute:after start-run" }],
  ])("killed together with its holder has an unknown result and is never rerun: %s", async (when, options) => {
    const turns = await beginTurns("first\n!await never", options);
    const { fleet, id } = turns;
    await until("the first turn to run", () => turns.inputs()[0] === "first\n!await never");
    if (when === "while no daemon runs") await fleet.kill();
    if ("dieAt" in options) await fleet.exitOf();
    // The holder has the lower pid; it dies first, so that the program's exit is not recorded.
    killAll([...processesOf(fleet.home)].sort((a, b) => a - b));
    if (!fleet.isUp()) await fleet.start();
    expect(await turns.settled(await firstMessage(turns))).toMatchObject({ delivery: "unknown" });
    expect((await inboxOf(fleet, id)).map((item) => item.kind)).toContain("message-unknown");
    expect(await ao(fleet, "inbox")).toContain("Delivery unknown for this message");
    expect((await turns.settled(await turns.send("second"))).delivery).toBe("delivered");
    await fleet.kill();
    await fleet.start();
    expect((await turns.settled(await turns.send("third"))).delivery).toBe("delivered");
    expect(turns.inputs()).toEqual(["first\n!await never", "second", "third"]);
    expect((await inboxOf(fleet, id)).map((item) => item.kind)).toEqual(["message-unknown"]);
  });
});
