import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../../testing/temp.ts";
import type { TurnEnd } from "../../../driver.ts";
import { parseHookEvent, readFailure } from "./hooks.ts";
import { type OwnStatus, readOwnStatus } from "./own-status.ts";
import { asTyped, readInput } from "./typist.ts";

const RULE = "─".repeat(40);

describe("the input line of Claude Code", () => {
  it.each([
    ["an empty line", `${RULE}\n❯ \n${RULE}`, ""],
    ["a draft, after a special space", `${RULE}\n❯\u00a0fix th\n${RULE}`, "fix th"],
    ["an old prompt character", `text\n${RULE}\n> \n`, ""],
    ["a dialog", `${RULE}\n Bash command\n Do you want to proceed?\n ❯ 1. Yes\n   2. No`, null],
    ["a dialog right under a rule", `${RULE}\n ❯ 1. Yes\n   2. No`, null],
    ["nothing yet", "", null],
  ])("is read from the screen: %s", (_what, screen, input) => {
    expect(readInput(screen)).toBe(input);
  });

  it.each([
    ["two\r\nlines\n", "two\nlines"],
    ["a\tb", "a    b"],
    ["\u001b[201~x", "\ufffd[201~x"],
    ["/clear", "Message: /clear"],
    ["  !ls", "Message: !ls"],
    ["a/b", "a/b"],
  ])("gets %j as %j", (text, typed) => {
    expect(asTyped(text)).toBe(typed);
  });
});

describe("a failed turn", () => {
  it.each<[string, TurnEnd]>([
    ["rate_limit", { kind: "limited", until: null, reason: "API Error: no" }],
    ["authentication_failed", { kind: "failed", reason: expect.stringContaining("Log in by running `claude`") }],
    ["server_error", { kind: "unavailable", reason: "API Error: no" }],
  ])("by %s", (error, end) => {
    const told = { hook_event_name: "StopFailure", error, last_assistant_message: "API Error: no" };
    const event = parseHookEvent(JSON.stringify(told));
    expect(event === null ? null : readFailure(event)).toEqual(end);
  });
});

describe("Claude Code's own status", () => {
  it("comes from the newest file of the conversation", () => {
    const home = tempDir();
    const folder = join(home, ".claude/sessions");
    mkdirSync(folder, { recursive: true });
    const say = (pid: number, sessionId: string, status: string, statusUpdatedAt: number): void =>
      writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ sessionId, status, statusUpdatedAt }));
    const own = (): OwnStatus | null => readOwnStatus("c1", { HOME: home });
    expect(own()).toBeNull();
    say(1, "c1", "busy", 5);
    say(2, "c2", "idle", 9);
    expect(own()).toEqual({ status: "busy", since: 5 });
    say(3, "c1", "idle", 7);
    expect(own()).toEqual({ status: "idle", since: 7 });
    say(1, "c1", "busy", 8);
    writeFileSync(join(folder, "4.json"), "torn");
    expect(own()).toEqual({ status: "busy", since: 8 });
  });
});
