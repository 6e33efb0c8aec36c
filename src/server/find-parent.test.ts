import { describe, expect, it } from "vitest";
import { aSession, aWorld } from "../testing/builders.ts";
import { aChange } from "../testing/change-builders.ts";
import { findParent } from "./find-parent.ts";

const world = aWorld({
  sessions: [aSession({ id: "demo-fix-it", issue: "9" })],
  changes: [aChange(), aChange({ key: "demo/4", number: 4, sessionId: null, branch: "revert-4" })],
});

describe("what a new session builds on", () => {
  it.each(["#1", "1", "demo/1", "demo-fix-it", "demo-fix"])("finds the session for %s", (written) => {
    expect(findParent(world, written, "demo")).toBe("demo-fix-it");
  });

  it("refuses a pull request without a session", () => {
    expect(() => findParent(world, "#4", "demo")).toThrow("#4 has no session, so nothing can build on it.");
  });
});
