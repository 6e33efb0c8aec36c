import type { Call } from "../../../src/protocol/api.ts";

/** Results of earlier steps. */
export interface Known {
  readonly repo: string;
  id: string;
  message: string;
  thread: string;
  issue: string;
  config: { text: string; version: string };
}

export interface Step {
  readonly call: Call;
  readonly params?: (known: Known) => Readonly<Record<string, string>>;
  readonly input?: (known: Known) => Readonly<Record<string, unknown>>;
  readonly headers?: (known: Known) => Readonly<Record<string, string>>;
  /** What the rest of the walk needs from its answer. */
  readonly learn?: (known: Known, answer: never) => void;
  /** In this fleet it is always refused. */
  readonly refused?: true;
  /** Whether it is refused depends on how fast the agent is. */
  readonly either?: true;
  /** The session must have come this far. */
  readonly after?: "pull request" | "idle";
}

const session = ({ id }: Known) => ({ id });
const pull = () => ({ project: "web", number: "1" });
const ofThread = ({ thread }: Known) => ({ project: "web", number: "1", thread });

const SESSION_PART: readonly Step[] = [
  {
    call: "POST /api/sessions",
    input: () => ({ projectId: "web", title: "fine", prompt: "fine" }),
    learn: (known, answer: { id: string }) => {
      known.id = answer.id;
    },
  },
  { call: "GET /api/sessions", input: () => ({ project: "web" }), after: "pull request" },
  { call: "GET /api/sessions", input: () => ({ all: true, limit: 10 }) },
  { call: "GET /api/sessions/:id", params: session, after: "idle" },
  { call: "GET /api/sessions/:id/status", params: session },
  { call: "GET /api/sessions/:id/pull-request", params: session },
  { call: "GET /api/sessions/:id/timeline", params: session, input: () => ({ internal: true }) },
  { call: "GET /api/sessions/:id/diff", params: session },
  { call: "GET /api/sessions/:id/environment", params: session },
  { call: "GET /api/sessions/:id/output", params: session },
  { call: "GET /api/sessions/:id/transcript", params: session, input: () => ({ limit: 50 }) },
  { call: "GET /api/sessions/:id/cost", params: session },
  { call: "GET /api/sessions/:id/attach", params: session },
  { call: "POST /api/sessions/:id/interrupt", params: session, either: true },
  { call: "POST /api/sessions/:id/answer", params: session, input: () => ({ choice: "yes" }), refused: true },
  { call: "POST /api/sessions/:id/permission", params: session, input: () => ({ choice: "yes" }), refused: true },
  { call: "POST /api/sessions/:id/runtime", params: session, input: () => ({ runtime: "process" }), either: true },
  { call: "POST /api/sessions/:id/commit", params: session, input: () => ({ message: "More" }), refused: true },
  {
    call: "POST /api/sessions/:id/message",
    params: session,
    input: () => ({ content: "Hello" }),
    learn: (known, answer: { messageId: string }) => {
      known.message = answer.messageId;
    },
  },
  {
    call: "GET /api/sessions/:id/messages/:mid",
    params: ({ id, message }) => ({ id, mid: message }),
    input: () => ({ wait: 20_000 }),
  },
  {
    call: "DELETE /api/sessions/:id/messages/:mid",
    params: ({ id, message }) => ({ id, mid: message }),
    refused: true,
  },
];

const PULL_REQUEST_PART: readonly Step[] = [
  { call: "POST /api/sessions/:id/pull-request", params: session },
  {
    call: "POST /api/sessions/:id/review",
    params: session,
    input: () => ({ verdict: "comment", comments: [{ path: "sum.txt", line: 1, text: "Why?" }] }),
    learn: (known, answer: { threads: readonly { id: string }[] }) => {
      known.thread = answer.threads[0]?.id ?? "";
    },
  },
  {
    call: "POST /api/sessions/:id/reply",
    params: session,
    input: ({ thread }) => ({ thread, text: "Because." }),
    after: "idle",
  },
  {
    call: "POST /api/pull-requests/:project/:number/threads/:thread/reply",
    params: ofThread,
    input: () => ({ text: "I see." }),
  },
  { call: "POST /api/pull-requests/:project/:number/threads/:thread/resolve", params: ofThread },
  { call: "GET /api/pull-requests", input: () => ({ state: "all" }), after: "idle" },
  { call: "GET /api/pull-requests/find", input: () => ({ ref: "#1", project: "web" }) },
  { call: "GET /api/pull-requests/:project/:number", params: pull },
  { call: "GET /api/pull-requests/:project/:number/diff", params: pull },
  { call: "GET /api/pull-requests/:project/:number/timeline", params: pull },
  {
    call: "GET /api/pull-requests/:project/:number/checks/:check/log",
    params: () => ({ ...pull(), check: "unit" }),
  },
  { call: "POST /api/pull-requests/:project/:number/labels", params: pull, input: () => ({ add: ["small"] }) },
  { call: "POST /api/pull-requests/:project/:number/rerun", params: pull },
  { call: "POST /api/pull-requests/:project/:number/publish", params: pull, refused: true },
  { call: "POST /api/pull-requests/:project/:number/base", params: pull, input: () => ({ base: "main" }) },
  { call: "DELETE /api/sessions/:id/merge", params: session, refused: true },
  { call: "DELETE /api/pull-requests/:project/:number/merge", params: pull, refused: true },
  { call: "POST /api/sessions/:id/approve", params: session, input: () => ({ author: "ada" }) },
  {
    call: "POST /api/pull-requests/:project/:number/review",
    params: pull,
    input: () => ({ verdict: "approve", author: "bob" }),
  },
  { call: "POST /api/sessions/:id/merge", params: session, input: () => ({ wait: true }) },
  { call: "POST /api/pull-requests/:project/:number/merge", params: pull, refused: true },
  { call: "POST /api/pull-requests/:project/:number/close", params: pull, refused: true },
];

const REST: readonly Step[] = [
  { call: "DELETE /api/sessions/:id", params: session, input: () => ({ wait: true }) },
  { call: "POST /api/sessions/:id/restore", params: session, input: () => ({ wait: true }), either: true },
  { call: "GET /api/projects" },
  { call: "GET /api/projects/:id/checks", params: () => ({ id: "web" }) },
  { call: "GET /api/projects/here", input: ({ repo }) => ({ cwd: repo }) },
  { call: "POST /api/projects", input: ({ repo }) => ({ path: repo }), either: true },
  { call: "GET /api/projects/:id/issues", params: () => ({ id: "web" }), input: () => ({ state: "all" }) },
  {
    call: "POST /api/projects/:id/issues",
    params: () => ({ id: "web" }),
    input: () => ({ title: "Subtract", labels: ["math"] }),
    learn: (known, answer: { id: string }) => {
      known.issue = answer.id;
    },
  },
  { call: "GET /api/projects/:id/issues/:issue", params: ({ issue }) => ({ id: "web", issue }) },
  {
    call: "PATCH /api/projects/:id/issues/:issue",
    params: ({ issue }) => ({ id: "web", issue }),
    input: () => ({ state: "closed" }),
  },
  { call: "GET /api/inbox" },
  { call: "GET /api/inbox/resolved" },
  { call: "POST /api/inbox/ack", input: () => ({ id: "nothing" }), refused: true },
  { call: "POST /api/inbox/pass", input: () => ({ id: "nothing" }), refused: true },
  {
    call: "POST /api/inbox/snooze",
    input: () => ({ id: "nothing", until: "2999-01-01T00:00:00Z" }),
    refused: true,
  },
  { call: "GET /api/activity" },
  { call: "GET /api/capacity" },
  { call: "POST /api/pause", input: () => ({ project: "web" }) },
  { call: "POST /api/resume", input: () => ({ project: "web" }) },
  { call: "GET /api/costs", input: () => ({ by: "model", since: "2026-01-01" }) },
  { call: "GET /api/radar", input: () => ({ project: "web" }) },
  { call: "GET /api/train", input: () => ({ project: "web" }) },
  { call: "POST /api/train/:project", params: () => ({ project: "web" }), input: () => ({ paused: false }) },
  { call: "GET /healthz" },
  { call: "GET /api/openapi.json" },
  { call: "GET /api/doctor" },
  { call: "GET /api/agents" },
  { call: "GET /api/webhooks" },
  { call: "POST /api/webhooks/:scm", params: () => ({ scm: "github" }), refused: true },
  { call: "GET /api/machine-config" },
  {
    call: "GET /api/config",
    input: () => ({ project: "web" }),
    learn: (known, answer: Known["config"]) => {
      known.config = answer;
    },
  },
  { call: "GET /api/config" },
  {
    call: "POST /api/config/preview",
    input: ({ config }) => ({ project: "web", text: `${config.text}port: many\n` }),
  },
  {
    call: "POST /api/config/dry-run",
    input: ({ config }) => ({ project: "web", text: config.text }),
  },
  {
    call: "POST /api/config/edit",
    input: ({ config }) => ({ project: "web", text: config.text, key: "policies.approvals", value: "0" }),
  },
  { call: "POST /api/config/accept", input: ({ config }) => ({ project: "web", version: config.version }) },
  {
    call: "PUT /api/config",
    input: ({ config }) => ({ project: "web", text: `${config.text}# more\n` }),
    headers: ({ config }) => ({ "if-match": `"${config.version}"` }),
  },
  {
    call: "PUT /api/config",
    input: ({ config }) => ({ project: "web", text: `${config.text}# late\n` }),
    headers: ({ config }) => ({ "if-match": `"${config.version}"` }),
    refused: true,
  },
  {
    call: "POST /api/config/accept",
    input: ({ config }) => ({ project: "web", version: config.version }),
    refused: true,
  },
  { call: "POST /api/reactions/test", input: ({ id }) => ({ session: id, event: "ci-failed" }) },
  { call: "POST /api/replay", input: ({ id, config }) => ({ session: id, config: config.text }) },
  { call: "POST /api/notify/test", input: () => ({ notifier: "nobody" }), refused: true },
  { call: "POST /api/cleanup", input: () => ({ dryRun: true }) },
  { call: "POST /api/link" },
  { call: "GET /api/audit", input: () => ({ limit: 5 }) },
  { call: "GET /api/me" },
  { call: "POST /api/tokens", input: () => ({ name: "ci" }) },
  { call: "GET /api/tokens" },
  { call: "DELETE /api/tokens/:name", params: () => ({ name: "ci" }) },
  { call: "DELETE /api/projects/:id", params: () => ({ id: "web" }), either: true },
  { call: "POST /api/shutdown", input: () => ({ sessions: true }) },
];

/** Every call of the API at least once, in an order in which each has something to work on. */
export const STEPS: readonly Step[] = [...SESSION_PART, ...PULL_REQUEST_PART, ...REST];
