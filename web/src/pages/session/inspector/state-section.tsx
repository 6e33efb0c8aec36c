import type { ReactNode } from "react";
import { describeUntrusted } from "../../../../../src/protocol/describe-untrusted.ts";
import type { SessionDetailView } from "../../../../../src/protocol/views/session.ts";
import { needText } from "../../../lib/need-text.ts";
import { useNow } from "../../../lib/now.ts";
import { stateOf } from "../../../lib/state-of.ts";
import { formatAge, formatClock, formatExact } from "../../../lib/time.ts";
import { MarkShape } from "../../../parts/state-mark.tsx";
import { Phrase, Untrusted } from "../../../parts/untrusted.tsx";
import { useListed } from "../use-listed.ts";
import { Section } from "./section.tsx";

const SOURCES = {
  protocol: "the agent's protocol",
  hook: "the agent's hooks",
  history: "the agent's history file",
  terminal: "its terminal screen (inferred)",
} as const;

/** What the session does, and the evidence. */
export function StateSection({ session }: { readonly session: SessionDetailView }) {
  const now = useNow();
  const { mark, label } = stateOf(session);
  const { attention, run, signalSource, untrusted } = session;
  const { evidence, lastSignalAt } = useListed(session.id) ?? session;
  return (
    <Section
      title={label}
      mark={<MarkShape mark={mark} />}
      aside={attention === null ? undefined : describeSince(attention.since, now)}
    >
      <dl className="inspector-facts">
        <Fact name="Now">
          <Phrase text={attention === null ? evidence : needText(session)} />
        </Fact>
        {signalSource === null ? null : <Fact name="Source">{SOURCES[signalSource]}</Fact>}
        {lastSignalAt === null ? null : (
          <Fact name="Last signal">
            <span title={formatExact(lastSignalAt)}>{formatAge(lastSignalAt, now)} ago</span>
          </Fact>
        )}
        <Fact name="Process">{describeProcess(run)}</Fact>
        {untrusted === null ? null : (
          // Its end, what is still reachable, matters most.
          <Fact name="Trust" isWhole>
            <Untrusted text={describeUntrusted(untrusted)} />
          </Fact>
        )}
      </dl>
    </Section>
  );
}

interface FactProps {
  readonly name: string;
  /** Takes as many lines as it needs. */
  readonly isWhole?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, isWhole = false, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={isWhole ? "" : "one-line"}>{children}</dd>
    </>
  );
}

function describeSince(since: string, now: number): string {
  return `since ${formatClock(since)}, ${formatAge(since, now)}`;
}

function describeProcess({ n, state, pid, evidence }: SessionDetailView["run"]): string {
  if (n === 0) return "not started";
  const parts = [state, ...(pid === null ? [] : [`pid ${pid}`]), `run ${n}`];
  return evidence === null || state === "alive" ? parts.join(", ") : `${parts.join(", ")}: ${evidence}`;
}
