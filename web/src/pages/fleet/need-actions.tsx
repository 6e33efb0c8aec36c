import { writeOutHidden } from "../../../../src/core/hidden-characters.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { primaryChoice } from "../../parts/question-choices.ts";
import { Untrusted } from "../../parts/untrusted.tsx";
import { type NeedButton, needButtons } from "./need-buttons.ts";
import { runNeedButton } from "./run-need-button.ts";

interface Props {
  readonly session: SessionView;
  /** Only the selected row shows keys and a primary button. */
  readonly isSelected: boolean;
  readonly isBusy: boolean;
  readonly onWrite: (id: string) => void;
}

/** The buttons that resolve a need. */
export function NeedActions({ session, isSelected, isBusy, onWrite }: Props) {
  const buttons = needButtons(session);
  return (
    <span className="need-actions">
      {buttons.map((button, index) => {
        const look = {
          kind: isSelected && index === 0 && isSafeFirst(button, session) ? "primary" : "default",
          hint: isSelected ? button.key : undefined,
          children: <Untrusted text={button.label} />,
          // Out of its row, "Approve" does not say what it approves.
          "aria-label": writeOutHidden(`${button.label}, ${session.title}`),
        } as const;
        if (button.does === "open") return <ButtonLink key={button.label} href={button.href} {...look} />;
        const press = (): void => (button.does === "message" ? onWrite(session.id) : runNeedButton(button, session));
        return <Button key={button.label} disabled={isBusy} onClick={press} {...look} />;
      })}
    </span>
  );
}

/** An agent's first choice is suggested only if it allows nothing beyond this one time. */
function isSafeFirst(button: NeedButton, { question }: SessionView): boolean {
  return button.does !== "answer" || (question !== null && primaryChoice(question) === button.choice);
}
