import { type KeyboardEvent, useState } from "react";
import { useDraft } from "../../lib/drafts.ts";
import { Button } from "../../parts/button.tsx";
import { describeFailure } from "../../parts/failure.ts";

interface Props {
  /** The name of its stored draft. */
  readonly draft: string;
  /** "line 41 of cache.ts, commit 9ad04be". */
  readonly place: string;
  readonly onCancel: () => void;
  readonly onAdd: (text: string) => void;
  readonly onSend: (text: string) => Promise<unknown>;
}

/** A new comment: it joins the review, or goes to the agent at once. */
export function CommentForm({ draft, place, onCancel, onAdd, onSend }: Props) {
  const [text, setText] = useDraft(draft);
  const [state, setState] = useState<"idle" | "sending" | Error>("idle");
  const isEmpty = text.trim() === "";
  const add = (): void => {
    if (isEmpty) return;
    setText("");
    onAdd(text);
  };
  const send = (): void => {
    if (isEmpty || state === "sending") return;
    setState("sending");
    onSend(text).then(
      () => setText(""),
      (error: Error) => setState(error),
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onCancel();
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey) add();
    else if (event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <div className="thread thread-form">
      <textarea
        aria-label={`Comment on ${place}`}
        placeholder="Comment for the agent"
        // biome-ignore lint/a11y/noAutofocus: the key that opens the form is meant for typing into it
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="thread-form-bar">
        <span className="small ink-3">{place}</span>
        <Button kind="quiet" hint="Esc" onClick={onCancel}>
          Cancel
        </Button>
        <Button hint="Shift Enter" disabled={isEmpty || state === "sending"} onClick={send}>
          {state === "sending" ? "Sending …" : "Send now"}
        </Button>
        <Button kind="primary" hint="Ctrl Enter" disabled={isEmpty} onClick={add}>
          Add to review
        </Button>
      </div>
      {state instanceof Error ? (
        <p className="bad small" role="alert">
          {describeFailure(state).what}
        </p>
      ) : null}
    </div>
  );
}
