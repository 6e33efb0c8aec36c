import { describe, expect, it } from "vitest";
import { aCheck, aPull } from "../../../test/support/pull-request-views.ts";
import { anAttention, aQuestion, aSession } from "../../../test/support/session-views.ts";
import { needText } from "./need-text.ts";

const ready = anAttention("approved-and-green", { text: "#3 is approved and green" });

describe("why a session needs a person", () => {
  it("names who approved a mergeable pull request, and what is green on which commit", () => {
    const checks = [aCheck("unit"), aCheck("lint")];
    const pullRequests = [aPull({ approvals: ["mara"], checks })];
    expect(needText(aSession({ attention: ready, pullRequests }))).toBe(
      "Approved by mara, 2 checks green on `1234567`, no conflicts",
    );
  });

  it("omits an approval that was not required", () => {
    const pullRequests = [aPull({ checks: [aCheck("unit")] })];
    expect(needText(aSession({ attention: ready, pullRequests }))).toBe("1 check green on `1234567`, no conflicts");
  });

  it.each([
    [
      "a permission is what the agent wants, with its command",
      "permission",
      "Claude Code wants to run npm install",
      "Wants to run `npm install`",
    ],
    [
      "requested changes start with what happened",
      "changes-requested",
      "jonas requested changes; 1 message did not help",
      "Changes requested by jonas; 1 message did not help",
    ],
    [
      "a repeated review says what is new",
      "review",
      "jonas requested changes; there is a new commit since",
      "New commit since jonas requested changes",
    ],
    ["a first review says what is green", "review", "needs 1 approval", "Checks green, needs 1 approval of `1234567`"],
    [
      "an escalated check starts like a sentence",
      "ci-failed",
      "check `unit` failed; 2 messages did not help",
      "Check `unit` failed; 2 messages did not help",
    ],
  ])("%s", (_, kind, text, said) => {
    const session = aSession({
      attention: anAttention(kind, { text }),
      pullRequests: [aPull({ checks: [aCheck("unit")] })],
      question: aQuestion({ question: "Claude Code wants to run", detail: { format: "command", text: "npm install" } }),
    });
    expect(needText(session)).toBe(said);
  });

  it("a silent agent is silent since its last signal", () => {
    const attention = anAttention("agent-stuck", { text: "no signal from its agent" });
    const lastSignalAt = "2026-01-01T00:00:00Z";
    const text = (evidence: string): string =>
      needText(aSession({ attention, lastSignalAt, evidence })).replace(/\d\d:\d\d/, "14:13");
    expect(text("no output since then; last: running npm test")).toBe("Silent since 14:13, while running npm test");
    expect(text("no output since then; last: plan made")).toBe("Silent since 14:13, last: plan made");
    expect(text("no output")).toBe("Silent since 14:13");
    expect(needText(aSession({ attention }))).toBe("No signal from its agent");
  });

  it("shows anything else in the daemon's words", () => {
    const attention = anAttention("question", { text: "Half up or half even?" });
    expect(needText(aSession({ attention }))).toBe("Half up or half even?");
    expect(needText(aSession({ activity: "running npm test" }))).toBe("running npm test");
    expect(needText(aSession({ evidence: "the agent said so" }))).toBe("the agent said so");
  });
});
