import type { CommandSpec } from "./command.ts";

type Loader = () => Promise<{ readonly command: CommandSpec }>;

/** Every command of this version; a command's file is loaded only when used. */
export const COMMANDS: Readonly<Record<string, Loader>> = {
  start: () => import("./commands/start.ts"),
  demo: () => import("./commands/demo.ts"),
  new: () => import("./commands/new.ts"),
  list: () => import("./commands/list.ts"),
  status: () => import("./commands/status.ts"),
  ui: () => import("./commands/ui.ts"),
  attach: () => import("./commands/attach.ts"),
  send: () => import("./commands/send.ts"),
  interrupt: () => import("./commands/interrupt.ts"),
  logs: () => import("./commands/logs.ts"),
  diff: () => import("./commands/diff.ts"),
  commit: () => import("./commands/commit.ts"),
  edit: () => import("./commands/edit.ts"),
  shell: () => import("./commands/shell.ts"),
  run: () => import("./commands/run.ts"),
  path: () => import("./commands/path.ts"),
  open: () => import("./commands/open.ts"),
  pr: () => import("./commands/pr.ts"),
  "claim-pr": () => import("./commands/claim-pr.ts"),
  review: () => import("./commands/review.ts"),
  reply: () => import("./commands/reply.ts"),
  approve: () => import("./commands/approve.ts"),
  merge: () => import("./commands/merge.ts"),
  stop: () => import("./commands/stop.ts"),
  restore: () => import("./commands/restore.ts"),
  pause: () => import("./commands/pause.ts"),
  resume: () => import("./commands/resume.ts"),
  inbox: () => import("./commands/inbox.ts"),
  answer: () => import("./commands/answer.ts"),
  ack: () => import("./commands/ack.ts"),
  pass: () => import("./commands/pass.ts"),
  wait: () => import("./commands/wait.ts"),
  issue: () => import("./commands/issue.ts"),
  projects: () => import("./commands/projects.ts"),
  "add-project": () => import("./commands/add-project.ts"),
  "remove-project": () => import("./commands/remove-project.ts"),
  config: () => import("./commands/config.ts"),
  "config-help": () => import("./commands/config-help.ts"),
  completion: () => import("./commands/completion.ts"),
  events: () => import("./commands/events.ts"),
  cost: () => import("./commands/cost.ts"),
  reactions: () => import("./commands/reactions.ts"),
  replay: () => import("./commands/replay.ts"),
  train: () => import("./commands/train.ts"),
  radar: () => import("./commands/radar.ts"),
  notify: () => import("./commands/notify.ts"),
  webhook: () => import("./commands/webhook.ts"),
  cleanup: () => import("./commands/cleanup.ts"),
  api: () => import("./commands/api.ts"),
  audit: () => import("./commands/audit.ts"),
  token: () => import("./commands/token.ts"),
  doctor: () => import("./commands/doctor.ts"),
  unsend: () => import("./commands/unsend.ts"),
  version: () => import("./commands/version.ts"),
};

/** Planned names that scripts and people may already know. */
export const LATER: readonly string[] = ["hunt", "mcp", "plan", "plugin", "update"];

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

/** The commands by purpose: the order of `ao --help` and of the reference page. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Every day": ["start", "new", "list", "attach", "send", "answer", "review", "merge"],
  "Start and stop": ["demo", "issue", "claim-pr", "restore", "stop", "pause", "resume"],
  Watch: ["ui", "status", "logs", "events", "radar", "train", "cost", "wait", "open"],
  Talk: ["inbox", "ack", "pass", "unsend", "interrupt"],
  "Work in a session's worktree": ["path", "edit", "shell", "run"],
  "Review and merge": ["diff", "commit", "approve", "reply", "pr"],
  "Set up": [
    "projects",
    "add-project",
    "remove-project",
    "config",
    "config-help",
    "reactions",
    "replay",
    "completion",
    "notify",
    "webhook",
  ],
  Maintain: ["doctor", "cleanup", "api", "token", "audit", "version"],
};

/** All commands, loaded, by group. */
export async function loadGroups(): Promise<readonly CommandGroup[]> {
  const load = async (name: string): Promise<readonly CommandSpec[]> => {
    const module = await COMMANDS[name]?.();
    return module === undefined ? [] : [module.command];
  };
  const groups = Object.entries(GROUPS).map(async ([title, names]) => ({
    title,
    commands: (await Promise.all(names.map(load))).flat(),
  }));
  return Promise.all(groups);
}

/** All commands, loaded, in help order. */
export async function loadAll(): Promise<readonly CommandSpec[]> {
  return (await loadGroups()).flatMap(({ commands }) => commands);
}
