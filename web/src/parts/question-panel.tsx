import "./question-panel.css";
import { type ReactNode, useState } from "react";
import type { QuestionView } from "../../../src/protocol/views/question.ts";
import { useShortcuts } from "../keys/use-shortcuts.ts";
import { Button } from "./button.tsx";
import { Composer } from "./composer.tsx";
import { describeFailure } from "./failure.ts";
import { keyOfChoice, primaryChoice } from "./question-choices.ts";
import { Untrusted, UntrustedBlock } from "./untrusted.tsx";

interface Props {
  readonly question: QuestionView;
  readonly mark?: ReactNode;
  /** Since when, and how it was asked. */
  readonly note?: ReactNode;
  /** The answer that was chosen here and is not confirmed yet. */
  readonly sending?: string | null;
  readonly failure?: Error | null;
  readonly onAnswer: (answer: string) => Promise<unknown>;
  /** Compact form, for a list row. */
  readonly isRow?: boolean;
}

/** An agent's question, verbatim, with its own choices in its order. */
export function QuestionPanel(props: Props) {
  const { question, mark, note, sending = null, failure = null, isRow = false } = props;
  const { detail } = question;
  const isShort = detail?.format === "command" && detail.text.length <= 80 && !detail.text.includes("\n");
  return (
    <section className={isRow ? "question-panel question-panel-row" : "question-panel"} aria-label="Question">
      <h2 className="question-panel-head">
        {mark}
        <span>
          <UntrustedBlock text={isShort ? question.question.replace(/:$/, "") : question.question} />
          {isShort ? (
            <code>
              {" "}
              <UntrustedBlock text={detail.text} />
            </code>
          ) : null}
        </span>
      </h2>
      {detail === null || isShort ? null : <Detail detail={detail} />}
      <p className="question-panel-note">{note}</p>
      {question.answered === true || sending !== null ? (
        <p className="question-panel-note" role="status">
          {question.answered === true ? "Answered, on its way to the agent." : <Sending answer={sending ?? ""} />}
        </p>
      ) : (
        <Answers {...props} />
      )}
      {failure === null ? null : <Rejected failure={failure} />}
    </section>
  );
}

function Answers({ question, onAnswer, isRow = false }: Props) {
  const { choices, descriptions, freeText } = question;
  const [isWriting, setWriting] = useState(choices.length === 0);
  const primary = primaryChoice(question);
  const write = (): unknown => freeText && setWriting(true);
  useShortcuts(isRow ? {} : { message: write });
  return (
    <>
      <div className="question-panel-choices">
        {choices.map((choice, index) => (
          <Button
            key={choice}
            kind={choice === primary ? "primary" : "default"}
            hint={keyOfChoice(index)}
            onClick={() => void onAnswer(choice).catch(() => undefined)}
          >
            <Untrusted text={choice} />
          </Button>
        ))}
        {freeText && !isWriting ? (
          <Button kind="quiet" hint={isRow ? undefined : "m"} onClick={write}>
            Reply instead
          </Button>
        ) : null}
      </div>
      <dl className="question-panel-means">
        {choices.map((choice) =>
          Object.hasOwn(descriptions, choice) ? (
            <Meaning key={choice} choice={choice} text={descriptions[choice] ?? ""} />
          ) : null,
        )}
      </dl>
      {isWriting ? <OwnWords question={question} onAnswer={onAnswer} onLeave={() => setWriting(false)} /> : null}
    </>
  );
}

function OwnWords({
  question,
  onAnswer,
  onLeave,
}: Pick<Props, "question" | "onAnswer"> & { readonly onLeave: () => void }) {
  const isPermission = question.kind === "permission";
  return (
    <Composer
      draft={`answer.${question.id}`}
      label={isPermission ? "Deny, with a reason" : "Answer in your own words"}
      note={isPermission ? "denies, and tells the agent why" : "answers the question"}
      verb="Answer"
      onSend={onAnswer}
      onLeave={onLeave}
      isFocused={question.choices.length > 0}
    />
  );
}

function Meaning({ choice, text }: { readonly choice: string; readonly text: string }) {
  return (
    <>
      <dt>
        <UntrustedBlock text={choice} />
      </dt>
      <dd>
        <UntrustedBlock text={text} />
      </dd>
    </>
  );
}

function Detail({ detail }: { readonly detail: NonNullable<QuestionView["detail"]> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="question-panel-detail" tabIndex={0}>
      {detail.format === "diff" ? <DiffLines text={detail.text} /> : <UntrustedBlock text={detail.text} />}
    </pre>
  );
}

function DiffLines({ text }: { readonly text: string }) {
  return text.split("\n").map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never move
    <span key={index} className={classOfLine(line)}>
      <UntrustedBlock text={line} />
      {"\n"}
    </span>
  ));
}

function classOfLine(line: string): string {
  if (/^\+(?!\+\+ )/.test(line)) return "question-panel-added";
  return /^-(?!-- )/.test(line) ? "question-panel-removed" : "";
}

function Sending({ answer }: { readonly answer: string }) {
  return (
    <>
      Sending “<UntrustedBlock text={answer} />”
    </>
  );
}

function Rejected({ failure }: { readonly failure: Error }) {
  const { what, fix } = describeFailure(failure);
  return (
    <p className="bad small" role="alert">
      {what} {fix}
    </p>
  );
}
