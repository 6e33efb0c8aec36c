import "./attempts-meter.css";
import { formatClock, formatCountdown, formatExact } from "../lib/time.ts";

interface Props {
  /** How many messages the agent got about the problem. */
  readonly attempts: number;
  readonly allowed: number | null;
  readonly escalatesAt: string | null;
  readonly now: number;
}

/** One block per allowed attempt, filled when used, and when a person is notified. */
export function AttemptsMeter({ attempts, allowed, escalatesAt, now }: Props) {
  const isSpent = allowed !== null && attempts >= allowed;
  return (
    <span className="attempts">
      {allowed === null ? null : (
        <span className="attempts-blocks" aria-hidden="true">
          {Array.from({ length: Math.min(allowed, 8) }, (_, n) => n).map((n) => (
            <span key={n} className={n < attempts ? "attempts-used" : ""} />
          ))}
        </span>
      )}
      <span className={isSpent ? "bad" : ""}>
        attempt {attempts}
        {allowed === null ? "" : ` of ${allowed}`}
      </span>
      {escalatesAt === null ? null : (
        <span className="ink-3" title={formatExact(escalatesAt)}>
          {describeDeadline(escalatesAt, now)}
        </span>
      )}
    </span>
  );
}

/** "escalates in 12 min, at 14:48". */
export function describeDeadline(escalatesAt: string, now: number): string {
  return `escalates ${formatCountdown(escalatesAt, now)}, at ${formatClock(escalatesAt)}`;
}
