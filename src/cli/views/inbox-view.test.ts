import { describe, expect, it } from "vitest";
import { anAction, anAttention } from "../../../test/support/session-views.ts";
import { completeAsked } from "../../core/question.ts";
import type { InboxView } from "../../protocol/views/inbox.ts";
import { renderInbox } from "./inbox-view.ts";
import { style } from "./style.ts";

const AT = "2026-11-15T12:00:00.000Z";
const options = { now: Date.parse(AT) + 120_000, style: style({}) };

function anItem(changes: Partial<InboxView>): InboxView {
  return {
    ...anAttention("question", { actions: [anAction("answer")], at: AT }),
    ...{
      projectId: "app",
      sessionId: "app-fix",
      pullRequest: null,
      canAcknowledge: false,
      choices: [],
      question: null,
    },
    ...{ blocks: [], state: "open", snoozedUntil: null },
    ...changes,
  };
}

describe("the inbox", () => {
  it("shows every line of a question, and numbers its entries", () => {
    const command = Array.from({ length: 200 }, (_, n) => `line ${n}`).join("\n");
    const asked = completeAsked<string>({
      kind: "permission",
      question: "Claude Code wants to run:",
      detail: { format: "command", text: `cat > x <<EOF\n${command}\nEOF` },
      choices: ["allow", "deny"],
    });
    const lines = renderInbox(
      [anItem({ question: { id: "q", ...asked } }), anItem({ kind: "review", text: "#1" })],
      options,
    );
    expect(lines.slice(0, 4)).toEqual([
      " 1 app-fix permission, 2m ago",
      "   Claude Code wants to run:",
      "   │ cat > x <<EOF",
      "   │ line 0",
    ]);
    for (const line of command.split("\n")) expect(lines).toContain(`   │ ${line}`);
    expect(lines.slice(-7)).toEqual([
      "    1. allow",
      "    2. deny",
      "   ao answer app-fix",
      "",
      " 2 app-fix review, 2m ago",
      "   #1",
      "   ao answer app-fix",
    ]);
  });

  it("explains how to dismiss an entry, if that is possible", () => {
    const item = anItem({
      id: "app/3/ci-failed:unit",
      kind: "ci-failed",
      text: "red",
      canAcknowledge: true,
      actions: [anAction("open", { sessionId: null, pullRequest: "app/3" })],
    });
    expect(renderInbox([item], options).at(-1)).toBe("   ao pr show app/3  or dismiss it: ao ack app/3/ci-failed:unit");
  });

  it("prints shell-safe commands", () => {
    const item = anItem({ id: "app/3/ci-failed:unit tests", kind: "ci-failed", canAcknowledge: true });
    expect(renderInbox([item], options).at(-1)).toContain("ao ack 'app/3/ci-failed:unit tests'");
  });

  it("contains no terminal escapes", () => {
    const lines = renderInbox([anItem({ kind: "ci-failed", text: "red\u001b[2J\nmore" })], options);
    expect(lines[1]).toBe("   red\\x1b[2J ⏎ more");
  });

  it("is empty", () => {
    expect(renderInbox([], options)).toEqual(["Inbox is empty"]);
  });
});
