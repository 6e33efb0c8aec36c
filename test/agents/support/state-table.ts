import type { SessionStatus } from "../../../src/core/session/status.ts";

/** What people see of a session at one moment, whatever its agent. */
export interface Expected {
  readonly status: SessionStatus["status"];
  readonly state: SessionStatus["state"];
  readonly evidence: RegExp;
  /** Of the open question; without it none is open. */
  readonly question?: RegExp;
  readonly choices?: RegExp;
  /** It lasts some milliseconds: the log has it, but a poll may miss it. */
  readonly passes?: true;
}

export type MomentName = keyof typeof MOMENTS;

/** The first of them is for this once. */
export const YES = /^(allow|approve|yes)/i;

const ACCEPTED = /^(the agent confirmed a message|the agent reported it)$/;

/**
 * The state of an agent, with its evidence, in the order in which a session of a test meets the moments. Real programs are
 * brought to each of them, and what their bridges said on the way is judged again without them.
 */
export const MOMENTS = {
  "prompt accepted": {
    status: "working",
    state: "working",
    evidence: ACCEPTED,
  },
  "tool running": { status: "working", state: "working", evidence: /sh wait\.sh/ },
  "permission question": {
    status: "needs-input",
    state: "waiting",
    evidence: /touch asked\.txt/,
    question: /touch asked\.txt/,
    choices: YES,
  },
  "answer given": {
    status: "working",
    state: "working",
    evidence: /^its question was answered$|^the agent reported it$|touch asked\.txt/,
  },
  "question at the keyboard": {
    status: "needs-input",
    state: "waiting",
    evidence: /touch typed\.txt/,
    question: /touch typed\.txt/,
    choices: YES,
  },
  "answered at the keyboard": {
    status: "working",
    state: "working",
    evidence: /^the agent withdrew its question$|^the agent reported it$|touch typed\.txt/,
  },
  "turn ended": { status: "idle", state: "idle", evidence: /^(\d+ files? not committed; )?All done\.$/ },
  "API error 401": { status: "errored", state: "error", evidence: /not logged in \(.*(log in|set [A-Z_]*KEY)/i },
  "API error 500": { status: "unavailable", state: "waiting", evidence: /500|scripted|high demand/i },
  "API error 500, tried again": { status: "working", state: "working", evidence: /500.*tries again/ },
  "API error 429": { status: "rate-limited", state: "waiting", evidence: /429|limit|scripted/i },
  "after the errors": { status: "idle", state: "idle", evidence: /^(\d+ files? not committed; )?Fine again\.$/ },
  "next prompt accepted": { status: "working", state: "working", evidence: ACCEPTED },
  interrupt: { status: "idle", state: "idle", evidence: /^(\d+ files? not committed; )?interrupted$/ },
  "process killed": {
    status: "restarting",
    state: "working",
    evidence: /^the agent exited \(.*SIGKILL.*\); restarting it$/,
    passes: true,
  },
  "back after the kill": { status: "working", state: "working", evidence: /./ },
  "bridge killed": {
    status: "restarting",
    state: "working",
    evidence: /^the agent exited \(.*\); restarting it$/,
    passes: true,
  },
  "back after the bridge's kill": { status: "working", state: "working", evidence: /./ },
  "terminal closed": {
    status: "restarting",
    state: "working",
    evidence: /^the agent exited \(.*\); restarting it$/,
    passes: true,
  },
  "back in a new terminal": { status: "working", state: "working", evidence: /./ },
  // Some programs say before their own words what they lost.
  "turn ended after all": { status: "idle", state: "idle", evidence: /Still here\.$/ },
  "quit by a person": { status: "exited", state: "idle", evidence: /exit code 0/ },
} as const satisfies Readonly<Record<string, Expected>>;

/** A moment's expectation, as one type. */
export function expectedAt(moment: MomentName): Expected {
  return MOMENTS[moment];
}

/** What is seen of a session, by its views or by its state. */
export interface Seen extends Pick<SessionStatus, "state" | "evidence"> {
  readonly status: string;
  readonly question: { readonly question: string; readonly choices: readonly string[] } | null;
}

/** How the view differs from the expectation; empty: it matches. */
export function findFaults(expected: Expected, seen: Seen): readonly string[] {
  const { status, state, evidence, question = null, choices = null } = expected;
  const isFit = (pattern: RegExp | null, texts: readonly string[]): boolean =>
    pattern === null ? texts.length === 0 : texts.some((text) => pattern.test(text));
  return [
    ...(seen.status === status ? [] : [`status ${seen.status}, not ${status}`]),
    ...(seen.state === state ? [] : [`state ${seen.state}, not ${state}`]),
    ...(evidence.test(seen.evidence) ? [] : [`evidence "${seen.evidence}", not ${evidence}`]),
    ...(isFit(question, seen.question === null ? [] : [JSON.stringify(seen.question)]) ? [] : ["another question"]),
    ...(isFit(choices, seen.question?.choices ?? []) ? [] : ["other choices"]),
  ];
}
