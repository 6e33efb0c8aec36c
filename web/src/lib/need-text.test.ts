import { describe, expect, it } from "vitest";
import { aCheck, aPull } from "../../../test/support/pull-request-views.ts";
import { anAttention, aSession } from "../../../test/support/session-views.ts";
import { needText } from "./need-text.ts";

const ready = anAttention("approved-and-green", { text: "#3 is approved and green" });

describe("why a session needs a person", () => {
  it("names who approved what is ready to merge, and what is green on which commit", () => {
    const checks = [aCheck("unit"), aCheck("lint")];
    const pullRequests = [aPull({ approvals: ["mara"], checks })];
    expect(needText(aSession({ attention: ready, pullRequests }))).toBe(
      "Approved by mara, 2 checks green on `1234567`, no conflicts",
    );
  });

  it("leaves out an approval that nobody asked for", () => {
    const pullRequests = [aPull({ checks: [aCheck("unit")] })];
    expect(needText(aSession({ attention: ready, pullRequests }))).toBe("1 check green on `1234567`, no conflicts");
  });

  it("says anything else as the daemon does", () => {
    const attention = anAttention("question", { text: "Half up or half even?" });
    expect(needText(aSession({ attention }))).toBe("Half up or half even?");
    expect(needText(aSession({ activity: "running npm test" }))).toBe("running npm test");
    expect(needText(aSession({ evidence: "the agent said so" }))).toBe("the agent said so");
  });
});
