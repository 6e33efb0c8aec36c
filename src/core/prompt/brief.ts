import { fenceLines, lineOf } from "../reaction/template.ts";

/** What applies to the whole session, whatever its agent is asked to do. */
export interface BriefFacts {
  readonly session: string;
  readonly title: string;
  /** Did the user write the title? Else it may be a stranger's. */
  readonly isOwnTitle: boolean;
  readonly issue: string | null;
  /** The mark of the brief's blocks. */
  readonly mark: string;
  readonly project: string;
  readonly workspace: { readonly kind: "worktree" | "clone"; readonly path: string };
  readonly branch: string;
  readonly base: string;
  /** Its base is the branch of another agent, which is not merged yet. */
  readonly isStacked?: boolean;
  /** `ao` opens the pull request when a turn ends with new commits. */
  readonly opensPullRequest: boolean;
  readonly checks: readonly { readonly name: string; readonly run: string }[];
  /** The project's `agentRules` and `agentRulesFile`. */
  readonly rules: string | null;
  /** null for the first process of a session. */
  readonly before: EarlierWork | null;
}

/** What an earlier process of the session left. */
export interface EarlierWork {
  /** Subjects of the branch's own commits, newest first. */
  readonly commits: readonly string[];
  readonly summary: string | null;
  readonly problems: readonly string[];
}

const MAX_SUMMARY = 1000;

/**
 * The standing instructions of a session: in the vendor's system prompt if there is one, else at the end of the first
 * message.
 */
export function composeBrief(facts: BriefFacts): string {
  const sections = [
    workspaceSection(facts),
    doneSection(facts),
    checksSection(facts.checks),
    QUESTIONS,
    facts.before === null ? null : beforeSection(facts, facts.before),
    facts.rules === null || facts.rules.trim() === "" ? null : `# Project rules\n\n${facts.rules.trim()}`,
  ];
  return `${sections.filter((section) => section !== null).join("\n\n")}\n`;
}

/** A text with the brief appended, for an agent that cannot get it otherwise; the text itself is unchanged. */
export function withBrief(text: string, brief: string | null): string {
  return brief === null || brief === "" ? text : `${text}\n\n${brief}`;
}

function workspaceSection(facts: BriefFacts): string {
  const { workspace, branch, base, isStacked } = facts;
  return [
    "# Workspace",
    "",
    ...taskLines(facts),
    `You work in a git ${workspace.kind} of that project at ${workspace.path}, on branch ${branch}, which starts from ${base}.`,
    ...(isStacked === true
      ? [`${base} belongs to another agent and is not merged yet: build on its commits, and do not change them.`]
      : []),
    "Other agents work in parallel, each on its own branch in its own folder.",
    "Change files only in this folder. Stay on this branch.",
  ].join("\n");
}

function taskLines({ title, isOwnTitle, issue, project, mark }: BriefFacts): readonly string[] {
  const where = `in the project ${lineOf(project)}`;
  if (isOwnTitle) return [`Your task is "${lineOf(title)}"${issue === null ? "" : ` (issue ${issue})`} ${where}.`];
  const task = issue === null ? `Your task ${where} has` : `Your task is issue ${issue} ${where}, with`;
  return [`${task} this title:`, fenceLines("title", lineOf(title), mark).trimEnd()];
}

function doneSection({ session, opensPullRequest, checks }: BriefFacts): string {
  const next = opensPullRequest
    ? "Do not push and do not open a pull request: ao opens one when your turn ends with new commits."
    : `Do not push. When the work is ready for review, open the pull request: \`ao pr open ${session} --title "..."\`.`;
  const steps = [
    ...(checks.length === 0 ? [] : ["Run the checks below and fix what they report."]),
    "Commit all of your work on this branch. Say in the message what changes and why. Uncommitted files are not part of the result.",
    next,
    "End your turn with a short summary: what you changed, and anything the reviewer should know.",
  ];
  return ["# When you are done", "", ...steps.map((step, index) => `${index + 1}. ${step}`)].join("\n");
}

function checksSection(checks: BriefFacts["checks"]): string | null {
  if (checks.length === 0) return null;
  const rows = checks.map(({ name, run }) => `- ${name}: \`${lineOf(run)}\``);
  return ["# Checks", "", "These run on the pull request:", "", ...rows].join("\n");
}

const QUESTIONS = [
  "# Questions",
  "",
  "If the task is unclear and a wrong guess would cost work, ask: use your question tool, or end your turn with the question.",
  "A person answers; you continue from there.",
].join("\n");

function beforeSection({ branch, mark }: BriefFacts, { commits, summary, problems }: EarlierWork): string {
  const said = summary === null || summary.trim() === "" ? null : summary.trim().slice(0, MAX_SUMMARY);
  return [
    "# What happened before",
    "",
    "An earlier process worked on this task. If you do not remember it, read `git log` and `git status` first, then continue.",
    ...(commits.length === 0 ? [`${branch} has no commits of its own yet.`] : []),
    ...listed(`commits on ${branch} so far, newest first`, commits, mark),
    ...listed("open problems", problems, mark),
    ...(said === null ? [] : [`Its last summary: ${said}`]),
  ].join("\n");
}

// Others may have written some of them.
function listed(label: string, lines: readonly string[], mark: string): readonly string[] {
  return lines.length === 0
    ? []
    : [fenceLines(label, lines.map((line) => `- ${lineOf(line)}`).join("\n"), mark).trimEnd()];
}
