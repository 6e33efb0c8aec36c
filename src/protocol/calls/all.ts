import { CONFIG_CALLS } from "./config.ts";
import { DAEMON_CALLS } from "./daemon.ts";
import { FLEET_CALLS } from "./fleet.ts";
import { PROJECT_CALLS } from "./projects.ts";
import { PULL_REQUEST_CALLS, SESSION_PULL_REQUEST_CALLS } from "./pull-requests.ts";
import { RULES_CALLS } from "./rules.ts";
import { SESSION_MESSAGE_CALLS } from "./session-messages.ts";
import { SESSION_WORK_CALLS } from "./session-work.ts";
import { SESSION_CALLS } from "./sessions.ts";
import { WEBHOOK_CALLS } from "./webhooks.ts";

/** Every API call with a single answer. */
export const CALLS = {
  ...SESSION_CALLS,
  ...SESSION_MESSAGE_CALLS,
  ...SESSION_WORK_CALLS,
  ...SESSION_PULL_REQUEST_CALLS,
  ...PULL_REQUEST_CALLS,
  ...PROJECT_CALLS,
  ...FLEET_CALLS,
  ...CONFIG_CALLS,
  ...RULES_CALLS,
  ...WEBHOOK_CALLS,
  ...DAEMON_CALLS,
} as const;
