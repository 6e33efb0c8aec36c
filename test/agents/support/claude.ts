import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { makePlace, type Place, processesOf, type RunningBridge, startBridge } from "./bridge.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { findProgram } from "./programs.ts";

/** The real program, if it is installed. */
export const claude = findProgram("claude-code", "claude");

export interface ClaudeBench {
  readonly place: Place;
  readonly model: ModelServer;
  /** Starts a bridge; edits and commands are free unless the settings say otherwise. */
  start(settings?: Readonly<Record<string, unknown>>, env?: Readonly<Record<string, string>>): RunningBridge;
  /** The process of Claude Code itself. */
  pid(): number | undefined;
  /** Is this text in a transcript yet? The last words appear there a moment later. */
  hasSaved(text: string): boolean;
  /** Commits of the workspace since main, the newest first. */
  commits(): readonly string[];
}

/** Variables that point the program at a scripted model. */
export function claudeEnvironment(model: ModelServer): Record<string, string> {
  return { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "sk-test", CLAUDE_CODE_MAX_RETRIES: "1" };
}

/** What a person did once: started Claude Code in a terminal and trusted a folder. */
export function acceptClaude(home: string, trusted: string): void {
  const projects = { [trusted]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  const customApiKeyResponses = { approved: ["sk-test"], rejected: [] };
  const config = { hasCompletedOnboarding: true, lastOnboardingVersion: "99.0.0", customApiKeyResponses, projects };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(config));
}

/** A place and a model for Claude Code. */
export async function makeClaudeBench(): Promise<ClaudeBench> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  return {
    place,
    model,
    start: (settings = {}, env = {}) => {
      const own = { command: [claude], permissions: "edits", allow: ["Bash"], ...settings };
      return startBridge(place, "claude", own, { ...claudeEnvironment(model), ...env });
    },
    pid: () => processesOf(place).find(({ command }) => command.startsWith(String(claude)))?.pid,
    hasSaved: (text) => countSaved(place.home, text) > 0,
    commits: () => git(place.workspace, "log", "--format=%s", "main..").trim().split("\n").filter(Boolean),
  };
}

/** How often this text is in the transcripts of this user. */
export function countSaved(home: string, text: string): number {
  const projects = join(home, ".claude/projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.reduce((sum, name) => sum + readFileSync(join(projects, name), "utf8").split(text).length - 1, 0);
}

/** A command that adds a commit. */
export function commit(name: string): string {
  return `echo ${name} >> ${name}.txt && git add -A && git commit -q -m ${name}`;
}
