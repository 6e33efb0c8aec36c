import type { Plugin, Slot } from "../ports/plugin.ts";
import { acp } from "./agent/acp/acp.ts";
import { aider } from "./agent/aider/aider.ts";
import { claudeCode } from "./agent/claude-code/claude-code.ts";
import { codex } from "./agent/codex/codex.ts";
import { command } from "./agent/command/command.ts";
import { copilot } from "./agent/copilot/copilot.ts";
import { cursor } from "./agent/cursor/cursor.ts";
import { gemini } from "./agent/gemini/gemini.ts";
import { goose } from "./agent/goose/goose.ts";
import { kimicode } from "./agent/kimicode/kimicode.ts";
import { opencode } from "./agent/opencode/opencode.ts";
import { qwen } from "./agent/qwen/qwen.ts";
import { rehearsal } from "./agent/rehearsal/rehearsal.ts";
import { desktop } from "./notifier/desktop/desktop.ts";
import { discord } from "./notifier/discord/discord.ts";
import { slack } from "./notifier/slack/slack.ts";
import { webhook } from "./notifier/webhook/webhook.ts";
import { processRuntime } from "./runtime/process/process.ts";
import { tmux } from "./runtime/tmux/tmux.ts";
import { githubScm } from "./scm/github/github.ts";
import { gitlabScm } from "./scm/gitlab/gitlab.ts";
import { localScm } from "./scm/local/local.ts";
import { github } from "./tracker/github/github.ts";
import { gitlab } from "./tracker/gitlab/gitlab.ts";
import { jira } from "./tracker/jira/jira.ts";
import { linear } from "./tracker/linear/linear.ts";
import { local } from "./tracker/local/local.ts";
import { clone } from "./workspace/clone/clone.ts";
import { worktree } from "./workspace/worktree/worktree.ts";

/** Every adapter that ships with `ao`; the first installed agent in this list is the default. */
export const registry = [
  command,
  rehearsal,
  claudeCode,
  codex,
  opencode,
  gemini,
  copilot,
  kimicode,
  qwen,
  goose,
  aider,
  cursor,
  acp,
  processRuntime,
  tmux,
  worktree,
  clone,
  local,
  github,
  gitlab,
  linear,
  jira,
  localScm,
  githubScm,
  gitlabScm,
  desktop,
  slack,
  discord,
  webhook,
] as const satisfies readonly Plugin<
  Slot,
  // biome-ignore lint/suspicious/noExplicitAny: each plugin has its own configuration type; it is parsed before use
  any
>[];
