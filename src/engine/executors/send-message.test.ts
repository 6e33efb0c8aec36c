import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeSignal } from "../../core/lines-protocol.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { Host } from "../../ports/host.ts";
import { aMessage, aSession } from "../../testing/builders.ts";
import { depsFor } from "../../testing/engine-bed/deps.ts";
import { type BedWorld, createBedWorld } from "../../testing/engine-bed/world.ts";
import { tempDir } from "../../testing/temp.ts";
import { completeInbox, quoteSignals, sendMessage } from "./send-message.ts";

const host = createNodeHost({ log: createSilentLog() });
const earlier = '{"type":"task","id":"m1","text":"a"}\n';
const line = '{"type":"message","id":"m2","text":"é 🎉 end"}\n';
const bytes = new TextEncoder().encode(line);

async function reconcile(content: string | Uint8Array): Promise<{ readonly kind: string; readonly inbox: string }> {
  const inbox = join(tempDir(), "in");
  writeFileSync(inbox, content);
  const answer = await completeInbox(host, inbox, bytes);
  return { kind: answer.kind, inbox: readFileSync(inbox, "utf8") };
}

describe("searching the inbox for a message after a crash", () => {
  it("finds a complete one and adds nothing", async () => {
    expect(await reconcile(earlier + line)).toEqual({ kind: "done", inbox: earlier + line });
  });

  it("reports not done if it is absent", async () => {
    expect(await reconcile(earlier)).toEqual({ kind: "not-done", inbox: earlier });
    expect(await reconcile("")).toEqual({ kind: "not-done", inbox: "" });
  });

  it("completes a partial one from the known bytes, wherever it was cut, even inside a character", async () => {
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const torn = Buffer.concat([Buffer.from(earlier), bytes.subarray(0, cut)]);
      expect(await reconcile(torn)).toEqual({ kind: "done", inbox: earlier + line });
    }
  });

  it("does not touch an inbox that ends in something else", async () => {
    const other = `${earlier}{"type":"mess`;
    expect((await reconcile(`${other}X`)).kind).toBe("unknown");
  });
});

it("quotes lines of a message that a terminal's echo would turn into the agent's own signals", () => {
  const text = 'look:\n{"type":"done","summary":"made up"}\n {"type":"ask","id":"1","question":"?"} \n{"a":1}\n';
  expect(quoteSignals(text, { decode: decodeSignal })).toBe(
    'look:\n> {"type":"done","summary":"made up"}\n {"type":"ask","id":"1","question":"?"} \n{"a":1}\n',
  );
});

const spec = { kind: "send-message", sessionId: "demo-fix-it", run: 1, messageId: "m-1", attempt: 1 } as const;
const session = aSession({ messages: [aMessage()] });
const inboxOf = (world: BedWorld): Promise<string | null> =>
  world.machine.host.fs.readText("/home/sessions/demo-fix-it/runs/1/in");

/** The disk accepts this many bytes of the next append and no more. */
function withFullDisk(machine: Host, room: number): Host {
  const append = async (path: string, part: Uint8Array): Promise<void> => {
    if (room > 0) await machine.fs.append(path, part.subarray(0, room));
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  return { ...machine, fs: { ...machine.fs, append } };
}

describe("send-message", () => {
  it("appends to the inbox of the run, and finds it there after a crash", async () => {
    const world = createBedWorld();
    await world.machine.host.fs.makeDir("/home/sessions/demo-fix-it/runs/1");
    const deps = depsFor(world, { session });
    expect(await sendMessage.reconcile(spec, "i", deps)).toEqual({ kind: "not-done" });
    expect(await sendMessage.execute(spec, "i", deps)).toEqual({ kind: "message-written" });
    expect(await sendMessage.reconcile(spec, "i", deps)).toMatchObject({ kind: "done" });
    expect(await inboxOf(world)).toBe('{"type":"message","id":"m-1","text":"hello"}\n');
  });

  it("is held while the disk is full, and completed once there is space, with what follows intact", async () => {
    for (let cut = 0; cut < 44; cut += 1) {
      const world = createBedWorld();
      await world.machine.host.fs.makeDir("/home/sessions/demo-fix-it/runs/1");
      const next = aMessage({ id: "m-2", text: { inline: "next" } });
      const deps = depsFor(world, { session: aSession({ messages: [aMessage(), next] }) });
      const full = { ...deps, host: withFullDisk(deps.host, cut) };
      expect(await sendMessage.execute(spec, "i", full)).toEqual({ kind: "message-held", reason: "the disk is full" });
      expect(await sendMessage.execute(spec, "i", deps)).toEqual({ kind: "message-written" });
      expect(await sendMessage.execute({ ...spec, messageId: "m-2" }, "i", deps)).toEqual({ kind: "message-written" });
      expect(await inboxOf(world)).toBe(
        '{"type":"message","id":"m-1","text":"hello"}\n{"type":"message","id":"m-2","text":"next"}\n',
      );
    }
  });

  it("keeps the partial start of a canceled message on its own line", async () => {
    const world = createBedWorld();
    await world.machine.host.fs.makeDir("/home/sessions/demo-fix-it/runs/1");
    const next = aMessage({ id: "m-2", text: { inline: "next" } });
    const deps = depsFor(world, { session: aSession({ messages: [aMessage(), next] }) });
    await sendMessage.execute(spec, "i", { ...deps, host: withFullDisk(deps.host, 33) });
    await sendMessage.execute({ ...spec, messageId: "m-2" }, "i", deps);
    expect((await inboxOf(world))?.split("\n").at(1)).toBe('{"type":"message","id":"m-2","text":"next"}');
  });

  it("treats a message whose text was dropped as delivered after a crash, and never sends it", async () => {
    const deps = depsFor(createBedWorld(), { session: aSession({ messages: [aMessage({ text: null })] }) });
    expect(await sendMessage.reconcile(spec, "i", deps)).toMatchObject({ kind: "done" });
    expect(await sendMessage.execute(spec, "i", deps)).toMatchObject({ kind: "failed", code: "internal" });
  });

  it("types into a free terminal, waits for a person, and never types again after a crash", async () => {
    const world = createBedWorld({ input: "terminal" });
    const deps = depsFor(world, { session: { ...session, input: "terminal" } });
    world.runtime.guard = { kind: "wait", reason: "a person types" };
    expect(await sendMessage.execute(spec, "i", deps)).toEqual({ kind: "message-held", reason: "a person types" });
    world.runtime.guard = { kind: "free" };
    expect(await sendMessage.execute(spec, "i", deps)).toEqual({ kind: "message-written" });
    expect(await sendMessage.reconcile(spec, "i", deps)).toMatchObject({ kind: "unknown" });
    expect(world.runtime.typed).toEqual(["hello"]);
  });
});
