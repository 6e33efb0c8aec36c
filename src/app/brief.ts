import type { ProjectConfig } from "../config/config.ts";
import { AoError } from "../core/errors.ts";
import type { ProjectState } from "../core/project/state.ts";
import { composeBrief, type EarlierWork } from "../core/prompt/brief.ts";
import { markFrom, seedOf } from "../core/reaction/mark.ts";
import type { SessionState } from "../core/session/state.ts";
import type { Host } from "../ports/host.ts";
import type { Scm } from "../ports/scm.ts";

/** The sources of a brief's facts. */
export interface BriefSource {
  readonly host: Host;
  readonly project: ProjectState;
  readonly config: ProjectConfig | undefined;
  /** Throws if there is no such plugin. */
  scm(): Scm;
}

/** The standing instructions for one run of a session, as its project is configured now. */
export async function briefFor(session: SessionState, run: number, source: BriefSource): Promise<string> {
  const { host, project, config } = source;
  const checks = Object.entries(project.policy?.checks ?? {}).filter(([, check]) => check.on.includes("pr"));
  return composeBrief({
    session: session.id,
    title: session.title,
    isOwnTitle: session.issue === null && session.role === "worker" && session.readUntrusted === undefined,
    mark: markFrom(seedOf(session), `brief ${run}`),
    issue: session.issue,
    project: project.name,
    workspace: {
      kind: session.workspacePlugin.plugin === "clone" ? "clone" : "worktree",
      path: session.workspace.path ?? project.path,
    },
    branch: session.branch,
    base: session.base ?? project.defaultBranch,
    isStacked: session.stackedOn !== undefined,
    opensPullRequest: project.policy?.openPullRequest !== "agent",
    checks: checks.map(([name, { run: command }]) => ({ name, run: command })),
    rules: await readRules(host, config),
    before: run === 1 ? null : await readEarlierWork(session, source),
  });
}

async function readEarlierWork(session: SessionState, { project, scm }: BriefSource): Promise<EarlierWork> {
  const { id, path, defaultBranch } = project;
  const read = async (): Promise<readonly string[]> =>
    scm().readSubjects({ id, path, defaultBranch }, session.branch, session.base ?? defaultBranch);
  return {
    // A brief without the commits is better than no agent.
    commits: await read().catch(() => []),
    summary: session.summary,
    problems: Object.values(session.problems).map(({ text }) => text),
  };
}

async function readRules(host: Host, config: ProjectConfig | undefined): Promise<string | null> {
  const file = config?.agentRulesFile == null ? null : await host.fs.readText(config.agentRulesFile);
  const parts = [config?.agentRules ?? null, file].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join("\n\n");
}

/** Rejects a project with unreadable rules: an agent without them would break them. */
export async function requireRules(host: Host, config: ProjectConfig | undefined): Promise<void> {
  const file = config?.agentRulesFile ?? null;
  if (file === null || (await host.fs.stat(file)) !== null) return;
  throw new AoError({
    code: "config-invalid",
    message: `agentRulesFile was not found: ${file}`,
    hint: "Create the file, or correct `agentRulesFile` in agent-orchestrator.yaml.",
  });
}
