import type { SessionView } from "../../../../src/protocol/views/session.ts";

/** What a need's button does: a write, a page to open, or a field to open. */
export type NeedButton = { readonly label: string; readonly key?: string } & (
  | { readonly does: "answer"; readonly choice: string }
  | { readonly does: "merge" | "approve" | "restore" | "interrupt" | "stop" | "message" | "dismiss" | "pass" | "rerun" }
  | { readonly does: "open"; readonly href: string }
);

type Question = NonNullable<SessionView["question"]>;
type Attention = NonNullable<SessionView["attention"]>;
type Action = Attention["actions"][number];

/** How many actions are offered beside a need. */
const MOST_ACTIONS = 3;
/** Choices beyond the last key are on the session's own page. */
const MOST_CHOICES = 9;

/** The buttons of a session that needs a person, most helpful first. */
export function needButtons(session: SessionView): readonly NeedButton[] {
  const { attention, question } = session;
  if (attention === null) return [];
  const answers = attention.actions.some(({ action }) => action === "answer");
  if (answers && question !== null && question.answered !== true) return answerButtons(session.id, question);
  const buttons = attention.actions.flatMap((action) => toButton(action, session));
  // `d` dismisses too, so that button is dropped first.
  const helpful = buttons.filter(({ does }) => does !== "dismiss");
  return (helpful.length > 1 ? helpful : buttons).slice(0, MOST_ACTIONS);
}

/** Every choice has its button: without the last one, a person could allow but not deny. */
function answerButtons(id: string, { kind, choices, freeText }: Question): readonly NeedButton[] {
  const answers = choices
    .slice(0, MOST_CHOICES)
    .map((choice, index): NeedButton => ({ does: "answer", choice, label: choice, key: String(index + 1) }));
  const rest = choices.length - answers.length;
  if (rest > 0) answers.push({ does: "open", label: `${rest} more`, href: sessionPath(id), key: "o" });
  if (kind === "question" && freeText) answers.push({ does: "message", label: "Reply", key: "m" });
  return answers;
}

/** The widths of a letter, of a button without its letters, and of the space beside a need, in pixels. */
const LETTER = 6.5;
const FRAME = 34;
const ROOM = 250;
/** Letters from here on, such as Chinese ones, are twice as wide. */
const FIRST_WIDE = "\u1100";

/** Do these buttons fit beside the need? Otherwise they have a line of their own, where all words can be read. */
export function fitBeside(buttons: readonly NeedButton[]): boolean {
  const lettersOf = ({ label }: NeedButton): number =>
    [...label].reduce((count, letter) => count + (letter < FIRST_WIDE ? 1 : 2), 0);
  return buttons.reduce((width, button) => width + FRAME + LETTER * lettersOf(button), 0) <= ROOM;
}

function toButton({ action, sessionId, pullRequest, check }: Action, session: SessionView): readonly NeedButton[] {
  const page = sessionId === null ? null : sessionPath(sessionId);
  const review = pullRequest === null ? null : pullRequestPath(pullRequest);
  const open = (label: string, href: string | null, key?: string): readonly NeedButton[] =>
    href === null ? [] : [{ does: "open", label, href, ...(key === undefined ? {} : { key }) }];
  switch (action) {
    case "answer":
    case "open":
      return open("Open", page, "o");
    case "review":
      return open("Review", review ?? page);
    case "log":
      return open(
        "View log",
        review === null || check === null ? page : `${review}?log=${encodeURIComponent(check)}`,
        "l",
      );
    case "attach":
      return open("Attach", page === null ? null : `${page}?tab=terminal`, "t");
    case "commit":
      return [];
    case "accept-config":
      return open("Open settings", `/p/${encodeURIComponent(session.projectId)}/settings`);
    case "configure":
      return open("Open project", `/p/${encodeURIComponent(session.projectId)}`);
    case "merge":
      return [{ does: "merge", label: "Merge", key: "Shift M" }];
    case "approve":
      return [{ does: "approve", label: "Approve" }];
    case "message":
      return [{ does: "message", label: "Message", key: "m" }];
    case "interrupt":
      return [{ does: "interrupt", label: "Interrupt", key: "i" }];
    case "restore":
      return [{ does: "restore", label: "Restore", key: "Shift R" }];
    case "rerun":
      return [{ does: "rerun", label: "Re-run" }];
    case "stop":
      return [{ does: "stop", label: "Stop", key: "x" }];
    case "pass":
      return [{ does: "pass", label: "Send to agent" }];
    case "dismiss":
      return [{ does: "dismiss", label: "Dismiss", key: "d" }];
  }
}

export function sessionPath(id: string): string {
  return `/s/${encodeURIComponent(id)}`;
}

/** The page of a pull request by its key, `<project>/<number>`. */
export function pullRequestPath(key: string): string {
  const slash = key.lastIndexOf("/");
  return `/p/${encodeURIComponent(key.slice(0, slash))}/pr/${key.slice(slash + 1)}`;
}
