import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { RunSpec, TypingGuard } from "../../../ports/runtime.ts";
import { PATIENCE_MS } from "../../../testing/patience.ts";
import { tempDir } from "../../../testing/temp.ts";
import { tmux } from "./tmux.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const title = hasTmux ? "a person at the terminal" : "a person at the terminal (skipped: tmux is not installed)";
const patience = { timeout: PATIENCE_MS, interval: 25 };

/** A terminal with `cat` in it, and a person in another tmux who is attached to it. */
async function aPerson(quietMs: number) {
  const root = tempDir();
  const home = join(root, "home");
  mkdirSync(home);
  const host = createNodeHost({ log: createSilentLog() });
  const runtime = tmux.create({ quietMs, settleMs: 50 }, host, { home, projectPath: root });
  const terminal = runtime.terminal;
  if (terminal === undefined) throw new Error("tmux has a terminal");
  const intentId = `intent-person-${process.pid}`;
  const spec: RunSpec = {
    ...{ sessionId: "web-1", run: 1, runDir: join(home, "run"), intentId, argv: ["sh", "-c", "cat > got"], cwd: root },
    ...{ env: { PATH: process.env["PATH"] ?? "", AO_INTENT: intentId }, input: "terminal", initialInput: "" },
  };
  const desk = join(root, "desk.sock");
  const atDesk = (...args: string[]): string =>
    execFileSync("tmux", ["-S", desk, "-f", "/dev/null", ...args], { encoding: "utf8", stdio: "pipe" });
  onTestFinished(async () => {
    spawnSync("tmux", ["-S", desk, "kill-server"]);
    await runtime.end(spec, 1000);
  });
  await runtime.start(spec);
  const inner = join(home, "tmux.sock");
  const ask = (format: string): number =>
    Number(execFileSync("tmux", ["-S", inner, "list-clients", "-F", format], { encoding: "utf8" }).trim() || "0");
  return {
    terminal,
    spec,
    got: () => readFileSync(join(root, "got"), "utf8"),
    press: (...keys: string[]) => atDesk("send-keys", ...keys),
    guard: (): Promise<TypingGuard> => terminal.guard(spec),
    attach: async () => {
      const { program, args } = terminal.attachCommand(spec);
      atDesk("new-session", "-d", "-x", "100", "-y", "30", program, ...args);
      await vi.waitFor(() => expect(ask("#{client_created}")).toBeGreaterThan(0), patience);
      // tmux counts in seconds: a key in the same second as the attachment cannot be distinguished from it.
      await vi.waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(ask("#{client_created}") + 1.05), patience);
    },
    detach: async () => {
      atDesk("kill-server");
      await vi.waitFor(() => expect(ask("#{client_created}")).toBe(0), patience);
    },
    sawKey: () =>
      vi.waitFor(() => expect(ask("#{e|-:#{client_activity},#{client_created}}")).toBeGreaterThan(0), patience),
  };
}

describe.skipIf(!hasTmux)(title, () => {
  it("is not disturbed while typing, nor is a half-typed line, even after detaching", async () => {
    const person = await aPerson(1_000);
    expect(await person.guard()).toEqual({ kind: "free" });
    await person.attach();
    expect(await person.guard()).toEqual({ kind: "free" });
    person.press("fix th");
    await person.sawKey();
    const reasons = new Set<string>();
    await vi.waitFor(async () => {
      const guard = await person.guard();
      if (guard.kind === "wait") reasons.add(guard.reason);
      expect(reasons).toContain("The terminal may hold a half-typed line.");
    }, patience);
    expect([...reasons][0]).toBe("A person is typing in the terminal.");
    await person.detach();
    expect(await person.guard()).toMatchObject({ kind: "wait", reason: "The terminal may hold a half-typed line." });
    await person.attach();
    person.press("e bug", "Enter");
    await vi.waitFor(async () => expect(await person.guard()).toEqual({ kind: "free" }), patience);
    await person.terminal.type(person.spec, "from ao");
    await vi.waitFor(() => expect(person.got()).toBe("fix the bug\nfrom ao\n"), patience);
  });

  it("who only watches blocks nothing, and one who scrolls does until they leave", async () => {
    const person = await aPerson(1_000);
    await person.attach();
    await person.terminal.type(person.spec, "while watched");
    expect(await person.guard()).toEqual({ kind: "free" });
    person.press("C-b", "[");
    await vi.waitFor(async () => {
      expect(await person.guard()).toMatchObject({ kind: "wait", reason: "A person is scrolling in the terminal." });
    }, patience);
    await person.detach();
    expect(await person.guard()).toEqual({ kind: "free" });
    await person.terminal.type(person.spec, "after");
    await vi.waitFor(() => expect(person.got()).toBe("while watched\nafter\n"), patience);
  });
});
