import type { SessionView } from "../../../../src/protocol/views/session.ts";

/** What a need's button does: a write, a page to open, or a field to open. */
export type NeedButton = { readonly label: string; readonly key?: string } & (
  | { readonly does: "answer"; readonly choice: string }
  | { readonly does: "merge" | "approve" | "restore" | "interrupt" | "stop" | "message" | "dismiss" | "pass" | "rerun" }
  | { readonly does: "open"; readonly href: string }
);

type Attention = NonNullable<SessionView["attention"]>;
type Action = Attention["actions"][number];

/** How many buttons fit beside a need. */
const ROOM = 3;

/** The buttons of a session that needs a person, most helpful first. */
export function needButtons(session: SessionView): readonly NeedButton[] {
  const { attention, question } = session;
  if (attention === null) return [];
  const answers = attention.actions.some(({ action }) => action === "answer");
  if (answers && question !== null && question.answered !== true) return answerButtons(session);
  const buttons = attention.actions.flatMap((action) => toButton(action, session));
  // `d` dismisses too, so that button is dropped first.
  const helpful = buttons.filter(({ does }) => does !== "dismiss");
  return (helpful.length > 1 ? helpful : buttons).slice(0, ROOM);
}

function answerButtons({ id, question }: SessionView): readonly NeedButton[] {
  const choices = (question?.choices ?? []).map(
    (choice, index): NeedButton => ({ does: "answer", choice, label: choice, key: String(index + 1) }),
  );
  if (question?.kind === "question" && choices.length < ROOM)
    return [...choices, { does: "message", label: "Reply", key: "m" }];
  if (choices.length <= ROOM) return choices;
  const more: NeedButton = {
    does: "open",
    label: `${choices.length - ROOM + 1} more`,
    href: sessionPath(id),
    key: "o",
  };
  return [...choices.slice(0, ROOM - 1), more];
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
