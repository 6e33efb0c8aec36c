import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import type { Rpc } from "../../kit/rpc.ts";
import { unwrapShell } from "./command-line.ts";
import { openThread } from "./handshake.ts";
import { readWindows } from "./rate-windows.ts";
import { parseSettings } from "./settings.ts";
import { composeThread, gitFolders } from "./thread.ts";
import { readEnd } from "./turn-end.ts";

describe("the command in a shell's arguments", () => {
  it.each([
    ["/bin/bash -lc 'touch a.txt'", "touch a.txt"],
    ["bash -c ls", "ls"],
    [`/bin/zsh -lc "echo 'it is' \\"so\\""`, `echo 'it is' "so"`],
    [`/bin/bash -lc 'echo '"'"'x'"'"''`, "echo 'x'"],
    // More than one word: nothing is hidden that would run too.
    ["/bin/bash -lc ls; rm x", "/bin/bash -lc ls; rm x"],
    ["npm test", "npm test"],
  ])("%s is %s", (wrapped, command) => {
    expect(unwrapShell(wrapped)).toBe(command);
  });
});

describe("the brief of a thread", () => {
  it.each([
    [null, null, undefined],
    [null, "# Workspace", "# Workspace"],
    ["Mine.", "# Workspace", "Mine.\n\n# Workspace"],
    ["Mine.", null, undefined],
  ])("the user's %j and the brief %j are %j", async (own, brief, expected) => {
    const asked: Record<string, unknown> = {};
    const rpc = {
      request: async (method: string, params: object) => {
        asked[method] = params;
        return { config: { developer_instructions: own }, thread: { id: "t" } };
      },
      notify: () => undefined,
    } as unknown as Rpc;
    const place = { cwd: tempDir(), isEnclosed: false, known: null };
    await openThread({ rpc, settings: parseSettings({}), ...place, brief });
    expect((asked["thread/start"] as { developerInstructions?: string }).developerInstructions).toBe(expected);
  });
});

describe("the policy in the program's terms", () => {
  it.each([
    [{ permissions: "ask" }, "untrusted", "workspace-write"],
    [{ permissions: "edits" }, "on-request", "workspace-write"],
    [{ permissions: "all" }, "never", "danger-full-access"],
    [{ permissions: "edits", deny: ["git push *"] }, "untrusted", "workspace-write"],
    [{ permissions: "all", deny: ["git push *"] }, "untrusted", "danger-full-access"],
  ])("%o", (settings, approvalPolicy, sandbox) => {
    expect(composeThread(parseSettings(settings), { roots: ["/r/.git"], isEnclosed: false })).toMatchObject({
      approvalPolicy,
      sandbox,
    });
  });

  it("leaves the sandbox to ao if ao created one, and still asks", () => {
    const place = { roots: ["/r/.git"], isEnclosed: true };
    expect(composeThread(parseSettings({ permissions: "ask" }), place)).toEqual({
      approvalPolicy: "untrusted",
      sandbox: "danger-full-access",
      config: {},
    });
  });

  it("makes both git folders of a linked worktree writable, and the one of a clone", () => {
    const dir = tempDir();
    const own = join(dir, "repo/.git/worktrees/x");
    mkdirSync(own, { recursive: true });
    mkdirSync(join(dir, "x"));
    writeFileSync(join(own, "commondir"), "../..\n");
    writeFileSync(join(dir, "x/.git"), `gitdir: ${own}\n`);
    expect(gitFolders(join(dir, "x"))).toEqual([join(dir, "repo/.git"), own]);
    expect(gitFolders(join(dir, "repo"))).toEqual([join(dir, "repo/.git")]);
    expect(gitFolders(dir)).toEqual([]);
  });
});

describe("the end of a turn", () => {
  const failed = (codexErrorInfo: unknown): Parameters<typeof readEnd>[0] => ({
    ...{ id: "t", status: "failed", items: [] },
    error: { message: "busy", codexErrorInfo },
  });
  const limits = { primary: { usedPercent: 100, resetsAt: 1_800_000_000 }, secondary: null };

  it.each([
    [failed("usageLimitExceeded"), { kind: "limited", until: new Date(1_800_000_000_000) }],
    [failed("rateLimitExceeded"), { kind: "limited", until: null }],
    [failed({ responseTooManyFailedAttempts: { httpStatusCode: 429 } }), { kind: "limited" }],
    [failed("unauthorized"), { kind: "failed", reason: expect.stringContaining("codex login") }],
    [failed("internalServerError"), { kind: "unavailable", reason: "busy (500)" }],
    [failed({ somethingNew: null }), { kind: "failed", reason: "Codex failed: busy" }],
    [{ id: "t", status: "interrupted", items: [] }, { kind: "interrupted" }],
    [
      { id: "t", status: "completed", items: [] },
      { kind: "finished", summary: "bye" },
    ],
  ])("%j", (turn, end) => {
    expect(readEnd(turn, { lastWords: "bye", limits })).toMatchObject(end);
  });
});

describe("the rate-limit windows of Codex", () => {
  it.each([
    [
      {
        primary: { usedPercent: 31, windowDurationMins: 300, resetsAt: 7 },
        secondary: { usedPercent: 4.5, windowDurationMins: 10_080, resetsAt: null },
      },
      [
        { name: "5 h", usedPercent: 31, resetsAt: 7000 },
        { name: "7 days", usedPercent: 4.5, resetsAt: null },
      ],
    ],
    [{ primary: { usedPercent: 8 }, secondary: null }, [{ name: "primary", usedPercent: 8, resetsAt: null }]],
    [{}, []],
  ])("%j", (limits, windows) => {
    expect(readWindows(limits as never)).toEqual(windows);
  });
});
