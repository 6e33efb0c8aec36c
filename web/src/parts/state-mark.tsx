import "./state-mark.css";
import type { ReactNode } from "react";
import { type Mark, type Stateful, stateOf } from "../lib/state-of.ts";

const RING = <circle cx="7" cy="7" r="5.75" />;
const TRIANGLE = <path d="M7 1.6 13 12.4H1Z" strokeLinejoin="round" />;
const BANG = <path className="glyph" d="M7 5.2v3.6M7 10.4v.8" />;

const SHAPES: Readonly<Record<Mark, ReactNode>> = {
  question: (
    <>
      <circle cx="7" cy="7" r="6.5" />
      <path className="glyph" d="M5.2 5.5c0-1 .8-1.7 1.8-1.7s1.8.7 1.8 1.6c0 1.2-1.8 1.3-1.8 2.6M7 9.7v.9" />
    </>
  ),
  escalated: (
    <>
      {TRIANGLE}
      {BANG}
    </>
  ),
  "no-signal": RING,
  review: (
    <>
      {RING}
      <circle className="dot" cx="7" cy="7" r="2.2" />
    </>
  ),
  ready: (
    <>
      <circle cx="7" cy="7" r="6.5" />
      <path className="glyph" d="m4.2 7.2 2 2 3.6-4" />
    </>
  ),
  "setup-failed": (
    <>
      {TRIANGLE}
      {BANG}
    </>
  ),
  fixing: (
    <>
      {RING}
      <circle className="dot" cx="7" cy="7" r="3" />
    </>
  ),
  working: <circle cx="7" cy="7" r="4" />,
  "checks-running": (
    <>
      <circle className="track" cx="7" cy="7" r="4.75" />
      <path d="M7 2.25A4.75 4.75 0 0 1 11.2 9.2" />
    </>
  ),
  merging: <path d="m2.4 3.2 3.8 3.8-3.8 3.8M7.4 3.2 11.2 7l-3.8 3.8" />,
  paused: <path d="M5 3v8M9 3v8" />,
  idle: <circle cx="7" cy="7" r="3.5" />,
  queued: <path d="M2.5 7h.01M7 7h.01M11.5 7h.01" strokeLinecap="round" />,
  merged: <path d="m2.5 7.4 3 3 6-6.6" />,
  failed: <path d="m3 3 8 8M11 3l-8 8" />,
  stopped: <path d="M3 7h8" />,
  unknown: RING,
};

interface MarkProps {
  readonly mark: Mark;
  /** The accessible name; absent if the label is beside the mark. */
  readonly label?: string;
  readonly size?: number;
}

/** One of the 17 shapes. */
export function MarkShape({ mark, label, size = 14 }: MarkProps) {
  const shape = (
    <svg className={`mark mark-${mark}`} width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
      {SHAPES[mark]}
    </svg>
  );
  if (label === undefined) return shape;
  return (
    <span role="img" aria-label={label} title={label}>
      {shape}
    </span>
  );
}

/** The state of a session or pull request as a mark with its name. */
export function StateMark({ of, size }: { readonly of: Stateful; readonly size?: number }) {
  const { mark, label } = stateOf(of);
  return <MarkShape mark={mark} label={label} {...(size === undefined ? {} : { size })} />;
}
