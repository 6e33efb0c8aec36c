import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import type { Question, Usage } from "../../driver.ts";
import type { Rpc } from "../../kit/rpc.ts";
import { createApprovals } from "./approvals.ts";
import { unwrapShell } from "./command-line.ts";
import { openThread } from "./handshake.ts";
import { parseSettings } from "./settings.ts";
import { composeThread, gitFolders } from "./thread.ts";
import { readEnd } from "./turn-end.ts";
import { createMeter } from "./usage.ts";

describe("the command in a shell's arguments", () => {
  it.each([
    ["/bin/bash -lc 'touch a.txt'", "touch a.txt"],
    ["bash -c ls", "ls"],
    [`/bin/zsh -lc "echo 'it is' \\"so\\""`, `echo 'it is' "so"`],
    [`/bin/bash -lc 'echo '"'"'x'"'"''`, "echo 'x'"],
    // More than one word: nothing is taken away that would run too.
    ["/bin/bash -lc ls; rm x", "/bin/bash -lc ls; rm x"],
    ["npm test", "npm test"],
  ])("%s is %s", (told, command) => {
    expect(unwrapShell(told)).toBe(command);
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

describe("the policy in the program's form", () => {
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

  it("leaves the sandbox to ao where ao has made one, and asks as before", () => {
    const place = { roots: ["/r/.git"], isEnclosed: true };
    expect(composeThread(parseSettings({ permissions: "ask" }), place)).toEqual({
      approvalPolicy: "untrusted",
      sandbox: "danger-full-access",
      config: {},
    });
  });

  it("makes both git folders of a linked worktree writable, and that of a clone", () => {
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
    [failed("internalServerError"), { kind: "failed", reason: "Codex failed: busy (500)" }],
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

describe("questions of Codex", () => {
  const stage = (settings: object, isShared = false) => {
    const asked: Question[] = [];
    const answers: object[] = [];
    const withdrawn: string[] = [];
    const states: string[] = [];
    const report = {
      asked: (question: Question) => void asked.push(question),
      withdrawn: (id: string) => void withdrawn.push(id),
      noted: () => undefined,
      stuck: () => void states.push("stuck"),
      working: () => void states.push("working"),
    };
    const approvals = createApprovals(parseSettings(settings), { cwd: "/w", home: "/h", isShared }, report);
    const ask = (method: string, params: object): void =>
      approvals.ask({ id: 7, method, params, respond: (answer) => void answers.push(answer), refuse: () => undefined });
    return { approvals, ask, asked, answers, withdrawn, states };
  };
  const edit = (path: string) => ({ type: "fileChange", id: "i", content: [], changes: [{ path }] });

  it("about files are answered by the policy within the workspace, and by a person outside", () => {
    const { approvals, ask, asked, answers } = stage({ permissions: "edits" });
    approvals.learn(edit("/w/a.ts"));
    ask("item/fileChange/requestApproval", { itemId: "i" });
    expect(answers).toEqual([{ decision: "accept" }]);
    approvals.learn(edit("/etc/passwd"));
    ask("item/fileChange/requestApproval", { itemId: "i" });
    expect(asked[0]?.question).toBe("Codex wants to edit /etc/passwd");
  });

  it("show the whole command with where it runs and why, or the diff, and what `always` means", () => {
    const { approvals, ask, asked, answers } = stage({});
    const always = { availableDecisions: ["accept", "acceptForSession"], reason: "It needs the network." };
    const command = "/bin/bash -lc 'make\nmake install'";
    ask("item/commandExecution/requestApproval", { itemId: "c", command, cwd: "/w/sub", ...always });
    const changes = [
      { path: "/w/a.ts", kind: { type: "update" }, diff: "@@ -1 +1 @@\n-old\n+new\n" },
      { path: "/w/b.ts", kind: { type: "add" }, diff: "line\n" },
    ];
    approvals.learn({ type: "fileChange", id: "f", content: [], changes });
    ask("item/fileChange/requestApproval", { itemId: "f", ...always, reason: null });
    expect(asked).toMatchObject([
      {
        question: "Codex wants to run (in /w/sub; It needs the network.):",
        detail: { format: "command", text: "make\nmake install" },
        descriptions: { "allow always": "the same command, until the agent's process ends" },
        freeText: true,
      },
      {
        question: "Codex wants to edit /w/a.ts /w/b.ts:",
        detail: {
          format: "diff",
          text: "--- /w/a.ts\n+++ /w/a.ts\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ /w/b.ts\n@@ -0,0 +1,1 @@\n+line",
        },
        descriptions: { "allow always": "edits of the same files, until the agent's process ends" },
      },
    ]);
    approvals.answer(asked[0]?.id ?? "", "no, use sed");
    approvals.answer(asked[1]?.id ?? "", "allow always");
    expect(answers).toEqual([{ decision: "decline" }, { decision: "acceptForSession" }]);
  });

  it("about the network are for a person, whatever is allowed about the command", () => {
    const { ask, asked, answers } = stage({ permissions: "edits", allow: ["curl *"] });
    const command = "/bin/bash -lc 'curl x'";
    ask("item/commandExecution/requestApproval", { itemId: "i", command, networkApprovalContext: { host: "x" } });
    expect([asked.length, answers]).toEqual([1, []]);
  });

  it("of its own are answered together, and taken back by the program", () => {
    const { approvals, ask, asked, answers, withdrawn } = stage({});
    const questions = ["a", "b"].map((id) => ({
      id,
      question: `${id}?`,
      options: [{ label: "one", description: `${id} it is` }],
    }));
    ask("item/tool/requestUserInput", { questions });
    expect(asked[1]).toMatchObject({ descriptions: { one: "b it is" }, freeText: true });
    approvals.answer(asked[0]?.id ?? "", "one");
    expect(answers).toEqual([]);
    approvals.answer(asked[1]?.id ?? "", "two");
    expect(answers).toEqual([{ answers: { a: { answers: ["one"] }, b: { answers: ["two"] } } }]);
    ask("item/tool/requestUserInput", { questions });
    approvals.forget(7);
    expect(withdrawn).toEqual(asked.slice(2).map(({ id }) => id));
  });

  it("that only its own interface can answer are declined where there is none, and wait where there is", () => {
    const methods = ["item/permissions/requestApproval", "mcpServer/elicitation/request"];
    const alone = stage({});
    for (const method of methods) alone.ask(method, {});
    expect(alone.answers).toMatchObject([{ permissions: {} }, { action: "decline" }]);
    const shared = stage({}, true);
    for (const method of [...methods, "of/the/interface"]) shared.ask(method, {});
    expect([shared.answers, shared.states]).toEqual([[], ["stuck", "stuck"]]);
    shared.approvals.forget(7);
    expect(shared.states.at(-1)).toBe("working");
  });
});

describe("the usage of Codex", () => {
  it("is that of all threads of the session, also after a new process", () => {
    const saved = new Map<string, string>();
    const notes = {
      get: (name: string) => saved.get(name) ?? null,
      set: (n: string, v: string) => void saved.set(n, v),
    };
    const told: (readonly unknown[])[] = [];
    const start = () =>
      createMeter(notes, ({ inputTokens, cachedTokens, model }) => {
        told.push([inputTokens, cachedTokens, model]);
      });
    const first = start();
    first.use("gpt-5");
    first.add({ inputTokens: 100, cachedInputTokens: 20, outputTokens: 1 });
    const second = start();
    second.reset();
    second.add({ inputTokens: 30, cachedInputTokens: 10, outputTokens: 1 });
    second.use("gpt-5-mini");
    start().add({ inputTokens: 40, cachedInputTokens: 10, outputTokens: 1 });
    expect(told).toEqual([
      [100, 20, "gpt-5"],
      [130, 30, "gpt-5"],
      [140, 30, "gpt-5-mini"],
    ]);
  });

  it("goes on from what a version of before has kept", () => {
    const saved = new Map([["codex.tokens", '{"inputTokens":100,"outputTokens":1}']]);
    const notes = { get: (name: string) => saved.get(name) ?? null, set: () => undefined };
    const told: Usage[] = [];
    const meter = createMeter(notes, (usage) => void told.push(usage));
    meter.add({ inputTokens: 200, cachedInputTokens: 50, outputTokens: 2 });
    expect(told).toEqual([{ inputTokens: 200, cachedTokens: 50, outputTokens: 2, costUsd: 0, model: null }]);
  });
});
