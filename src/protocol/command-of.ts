import { shellWord } from "../core/shell-word.ts";
import type { ActionView } from "./views/inbox.ts";

/** The command that does what an action says; null: there is none for it. */
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
    case "configure":
      return "ao config validate";
    // Both are done to an entry of the inbox, which has an id of its own.
    case "dismiss":
    case "pass":
      return null;
  }
}

/** The command that mostly helps. */
export function firstCommand(actions: readonly ActionView[]): string {
  return actions.map(commandOf).find((command) => command !== null) ?? "ao inbox";
}
