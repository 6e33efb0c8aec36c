import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import type { Place } from "./support/bridge.ts";
import { claude, claudeEnvironment } from "./support/claude.ts";
import { describeDriverContract } from "./support/driver-contract.ts";
import { hasTmux, startTerminalBridge, type TerminalBridge } from "./support/terminal-bridge.ts";

/** What a person did once: began with Claude Code, and trusted the repository. */
function acceptAll(place: Place): void {
  const projects = { [place.repo]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  const customApiKeyResponses = { approved: ["sk-test"], rejected: [] };
  const config = { hasCompletedOnboarding: true, lastOnboardingVersion: "99.0.0", customApiKeyResponses, projects };
  writeFileSync(join(place.home, ".claude.json"), JSON.stringify(config));
}

// The program refuses to skip its questions as root.
function startAllowed(
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>> = {},
): TerminalBridge {
  const wish = settings as Readonly<Record<string, unknown>>;
  const policy = wish["permissions"] === "all" ? { permissions: "edits", allow: ["Bash"] } : {};
  return startTerminalBridge(place, driver, { ...wish, ...policy }, env);
}

if (claude !== null && hasTmux) {
  describeDriverContract({
    name: "Claude Code in a terminal",
    driver: "claude",
    settings: () => ({ command: [claude] }),
    environment: (place, model) => {
      acceptAll(place);
      return claudeEnvironment(model);
    },
    startBridge: startAllowed,
    process: claude,
    usage: "calls",
    errors: [401, 429, 500],
    limitMs: 60_000,
  });
} else {
  describe("Claude Code in a terminal", () => {
    it.skip("is not tried: the program or tmux is not installed", () => undefined);
  });
}
