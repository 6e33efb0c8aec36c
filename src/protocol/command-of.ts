import { shellWord } from "../core/shell-word.ts";
import type { ActionView } from "./views/inbox.ts";

/** The command for an action; null if there is none. */
export function commandOf({ action, sessionId, pullRequest, check }: ActionView): string | null {
  const name = sessionId ?? pullRequest ?? "";
  switch (action) {
    case "answer":
    case "approve":
    case "attach":
    case "interrupt":
    case "merge":
    case "restore":
    case "review":
    case "stop":
      return `ao ${action} ${name}`;
    case "commit":
      return `ao commit ${name} -m "..."`;
    case "message":
      return `ao send ${name} "..."`;
    case "log":
      return check === null ? `ao logs ${name}` : `ao pr show ${name} --log ${shellWord(check)}`;
    case "rerun":
      return check === null ? `ao pr rerun ${name}` : `ao pr rerun ${name} ${shellWord(check)}`;
    case "open":
      return pullRequest === null ? `ao status ${name}` : `ao pr show ${name}`;
    case "accept-config":
      return "ao config accept";
    case "configure":
      return "ao config validate";
    // Both act on an inbox entry, which has its own id.
    case "dismiss":
    case "pass":
      return null;
  }
}

/** The command that helps most often. */
export function firstCommand(actions: readonly ActionView[]): string {
  return actions.map(commandOf).find((command) => command !== null) ?? "ao inbox";
}
