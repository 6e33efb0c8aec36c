import "./merge-gate.css";
import { Check, Circle, CircleDashed, CircleDotDashed, X } from "lucide-react";
import type { ReactNode } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { Phrase, Untrusted, UntrustedBlock } from "../../parts/untrusted.tsx";
import { type GateCell, summarizeGate, toGate } from "./merge-gate.ts";

const MARKS = {
  met: { Icon: Check, tone: "good", who: "" },
  you: { Icon: Circle, tone: "you", who: "yours to clear" },
  agent: { Icon: CircleDotDashed, tone: "live", who: "the agent clears it" },
  bad: { Icon: X, tone: "bad", who: "" },
  time: { Icon: CircleDashed, tone: "ink-3", who: "clears on its own" },
} as const;

interface Props {
  readonly pullRequest: PullRequestDetailView;
  /** Opens the log of a check. */
  readonly onLog: (check: string) => void;
}

/** What the merge needs, one cell per condition. */
export function MergeGate({ pullRequest, onLog }: Props) {
  const { title, text } = summarizeGate(pullRequest);
  return (
    <section className="gate" aria-label="Merge gate">
      <div className="gate-cell">
        <h2 className={pullRequest.blockers.length === 0 ? "good" : "you"}>
          <StateMark of={pullRequest} />
          {title}
        </h2>
        <Phrase text={text} />
      </div>
      {toGate(pullRequest).map((cell) => (
        <Cell key={cell.key} cell={cell}>
          {contentOf(cell, { pullRequest, onLog })}
        </Cell>
      ))}
    </section>
  );
}

/** What a cell shows instead of one line; null: its line. */
function contentOf(cell: GateCell, { pullRequest, onLog }: Props): ReactNode {
  // A proof is there to be read as a whole.
  if (pullRequest.phase !== "open") return <UntrustedBlock text={cell.detail} />;
  if (cell.key !== "checks") return null;
  const { log } = cell;
  return (
    <>
      {log === undefined ? null : (
        <button type="button" className="gate-log link" onClick={() => onLog(log)}>
          View log
        </button>
      )}
      <Checks pullRequest={pullRequest} onLog={onLog} />
    </>
  );
}

function Cell({ cell, children }: { readonly cell: GateCell; readonly children: ReactNode }) {
  const { Icon, tone, who } = MARKS[cell.state];
  return (
    <div className="gate-cell">
      <h2 className={cell.state === "you" || cell.state === "bad" ? cell.state : ""}>
        <Icon size={14} className={tone} aria-hidden />
        {cell.title}
      </h2>
      {children ?? <Untrusted text={[cell.detail, who].filter((part) => part !== "").join(", ")} />}
    </div>
  );
}

function Checks({ pullRequest: { checks }, onLog }: Props) {
  return (
    <p>
      {checks.map(({ name, state }, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <button
            type="button"
            className={state === "failed" || state === "timed-out" || state === "setup-failed" ? "bad" : ""}
            title={`${state.replaceAll("-", " ")}; show its log`}
            onClick={() => onLog(name)}
          >
            <Untrusted text={name} />
          </button>
        </span>
      ))}
    </p>
  );
}
