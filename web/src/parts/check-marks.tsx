import "./check-marks.css";
import type { ReactNode } from "react";
import type { CheckView } from "../../../src/protocol/views/pull-request.ts";

type Shape = "passed" | "failed" | "running" | "queued" | "flaky" | "setup-failed";

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  passed: <circle cx="5" cy="5" r="3" />,
  failed: <path d="m1.8 1.8 6.4 6.4M8.2 1.8 1.8 8.2" />,
  running: (
    <>
      <circle cx="5" cy="5" r="3.4" />
      <path className="half" d="M5 1.6a3.4 3.4 0 0 1 0 6.8Z" />
    </>
  ),
  queued: <circle cx="5" cy="5" r="1.2" />,
  flaky: (
    <>
      <circle cx="5" cy="5" r="3.4" />
      <path className="half" d="M1.6 5a3.4 3.4 0 0 0 6.8 0Z" />
    </>
  ),
  "setup-failed": <path d="M5 1.4 9 8.6H1Z" strokeLinejoin="round" />,
};

const SHAPE_OF: Readonly<Record<string, Shape>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "failed",
  running: "running",
  "setup-failed": "setup-failed",
  unknown: "setup-failed",
};

/** A check as in lists; `flaky` if the check's history is known. */
type Checked = Pick<CheckView, "name" | "state"> & { readonly flaky?: boolean };

export function shapeOfCheck({ state, flaky = false }: Checked): Shape {
  if (state === "passed" && flaky) return "flaky";
  return SHAPE_OF[state] ?? "queued";
}

/** The checks of a pull request in the project's order, so that the position identifies each. */
export function CheckMarks({ checks }: { readonly checks: readonly Checked[] }) {
  if (checks.length === 0) return null;
  const label = describeChecks(checks);
  return (
    <span className="checks" role="img" aria-label={label} title={label}>
      {checks.map((check) => (
        <CheckMark key={check.name} check={check} />
      ))}
    </span>
  );
}

/** One check; its name is shown beside it. */
export function CheckMark({ check }: { readonly check: Checked }) {
  const shape = shapeOfCheck(check);
  return (
    <svg className={`check check-${shape}`} width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  );
}

/** "lint passed, unit failed". */
export function describeChecks(checks: readonly Checked[]): string {
  return checks
    .map(({ name, state, flaky = false }) => `${name} ${state.replaceAll("-", " ")}${flaky ? ", flaky" : ""}`)
    .join(", ");
}
