import { expect, test } from "vitest";
import { whenApplied } from "./when-applied.ts";

test.each([
  [["limits", "parallelAgents"], "now"],
  [["port"], "daemon-restart"],
  [["dashboard", "allowedHosts"], "daemon-restart"],
  [["defaults", "agent"], "new-sessions"],
  [["projects", "web", "reactions", "ci-failed", "retries"], "now"],
  [["projects", "web", "env", "KEY"], "next-start"],
  [["projects", "web", "agentConfig", "model"], "new-sessions"],
  [["projects", "web", "path"], "registration"],
  [["projects", "web"], "registration"],
])("a change of %j applies: %s", (path, expected) => {
  expect(whenApplied(path)).toBe(expected);
});
