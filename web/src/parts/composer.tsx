import "./composer.css";
import { type KeyboardEvent, type ReactNode, type Ref, useState } from "react";
import { returnDraft, useDraft } from "../lib/drafts.ts";
import { Button } from "./button.tsx";
import { describeFailure } from "./failure.ts";

interface Props {
  /** The name of its stored draft. */
  readonly draft: string;
  readonly label: string;
  /** What will happen to the text; null: it is sent at once. */
  readonly note: ReactNode;
  readonly verb?: string;
  /** Nothing can be sent now; the draft stays. */
  readonly isOff?: boolean;
  /** A rejected text returns to the field, with the reason below. */
  readonly onSend: (text: string) => Promise<unknown>;
  readonly onLeave?: (() => void) | undefined;
  readonly field?: Ref<HTMLTextAreaElement>;
  /** It may be sent without a text: something else is sent with it. */
  readonly canBeEmpty?: boolean;
  /** The user opened it to type. */
  readonly isFocused?: boolean;
}

/** The field for messages to an agent. Enter sends, Shift Enter adds a line. */
export function Composer({
  draft,
  label,
  note,
  verb = "Send",
  isOff = false,
  onSend,
  onLeave,
  field,
  canBeEmpty = false,
  isFocused = false,
}: Props) {
  const [text, setText] = useDraft(draft);
  const [failure, setFailure] = useState<Error | null>(null);
  const send = (): void => {
    if ((text.trim() === "" && !canBeEmpty) || isOff) return;
    setText("");
    setFailure(null);
    onSend(text).catch((error: Error) => {
      setFailure(error);
      returnDraft(draft, text);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onLeave?.();
    // While an input method composes a word, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className="composer-field"
        rows={1}
        // biome-ignore lint/a11y/noAutofocus: only where a key or a button opened it
        autoFocus={isFocused}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-bar">
        <span className="composer-note">{failure === null ? note : <Rejected failure={failure} />}</span>
        <Button type="submit" hint="Enter" disabled={isOff}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

function Rejected({ failure }: { readonly failure: Error }) {
  const { what, fix } = describeFailure(failure);
  return (
    <span className="bad" role="alert">
      Not sent: {what} {fix}
    </span>
  );
}
