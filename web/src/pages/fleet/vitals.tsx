import "./vitals.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { capacityQuery, mergedQuery } from "../../data/fleet-queries.ts";
import { projectsQuery, sessionsQuery } from "../../data/queries.ts";
import { formatCost, formatTokens } from "../../lib/cost.ts";
import { useNow } from "../../lib/now.ts";
import { formatClock } from "../../lib/time.ts";
import { useParam, useProject } from "../../lib/url-state.ts";
import { PageLink } from "../../parts/page-link.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import {
  countAgents,
  countMain,
  countMerged,
  countNeeds,
  countReviews,
  type Vital,
  type VitalsInput,
} from "./count-vitals.ts";
import { type Fleet, useMergedToday } from "./use-fleet.ts";

const MINUTE = 60_000;

interface Props {
  readonly fleet: Fleet;
  /** One line, for many sessions. */
  readonly isLine: boolean;
  /** Short labels. */
  readonly isShort: boolean;
}

/** Six figures of the fleet; each filters the list. */
export function Vitals({ fleet, isLine, isShort }: Props) {
  const project = useProject();
  const now = useNow((ms) => Math.floor(ms / MINUTE) * MINUTE);
  const merged = useMergedToday(project);
  const input: VitalsInput = {
    sessions: fleet.sessions ?? [],
    merged,
    slots: useSlots(project),
    now,
  };
  const needs = countNeeds(input);
  return (
    <section className={isLine ? "vitals vitals-line" : "vitals"} aria-label="Vitals">
      <Cell vital={needs} tone={needs.value === "0" ? "ink-3" : "you"} />
      <Cell vital={countAgents(input)} isShort={isShort}>
        <Slots fleet={fleet} />
      </Cell>
      <Cell vital={countReviews(input)} />
      <Cell vital={countMerged(input)} isShort={isShort} />
      <CostToday isShort={isShort} />
      <MainBranch fleet={input} />
    </section>
  );
}

function useSlots(project: string | null): VitalsInput["slots"] {
  const { data } = useQuery(capacityQuery());
  if (project === null) return data?.slots ?? null;
  return data?.projects.find(({ projectId }) => projectId === project) ?? null;
}

interface CellProps {
  readonly vital: Vital;
  readonly tone?: string;
  readonly isShort?: boolean;
  readonly children?: ReactNode;
}

function Cell({ vital, tone = "", isShort = false, children }: CellProps) {
  const [filter, setFilter] = useParam("q");
  const isOn = filter === vital.filter;
  return (
    <button
      type="button"
      className="vital"
      aria-pressed={isOn}
      onClick={() => setFilter(isOn ? null : vital.filter)}
      title={`Show only: ${vital.label}`}
    >
      <span className="vital-figure">
        <b className={tone}>{vital.value}</b>{" "}
        <span className={tone === "you" ? "you" : "ink-2"}>{isShort ? vital.short : vital.label}</span>
      </span>
      <span className="vital-context small ink-3">
        {children}
        {vital.context}
      </span>
    </button>
  );
}

/** One block per agent: working, anything else, waiting for a person. */
function Slots({ fleet }: { readonly fleet: Fleet }) {
  const running = (fleet.sessions ?? []).filter(({ status }) => status !== "queued");
  const kinds = running.map(({ state, attention }) =>
    state === "working" ? "live" : attention === null ? "rest" : "you",
  );
  const sorted = kinds.sort(byKind);
  // With more agents than fit, each block represents several.
  const blocks = Array.from({ length: Math.min(sorted.length, 60) }, (_, index) => {
    return sorted[Math.floor((index * sorted.length) / Math.min(sorted.length, 60))];
  });
  if (blocks.length === 0) return null;
  return (
    <span className="slots" aria-hidden="true">
      {blocks.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are alike and never move
        <i key={index} className={`slot-${kind}`} />
      ))}
    </span>
  );
}

const KINDS = ["live", "rest", "you"];

function byKind(a: string, b: string): number {
  return KINDS.indexOf(a) - KINDS.indexOf(b);
}

function CostToday({ isShort }: { readonly isShort: boolean }) {
  const cost = useQuery(sessionsQuery()).data?.fleet.costToday;
  if (cost === undefined) return null;
  return (
    <PageLink className="vital" href="/cost">
      <span className="vital-figure">
        <b>{formatCost(cost)}</b> {isShort ? null : <span className="ink-2">today</span>}
      </span>
      <span className="vital-context small ink-3">
        {formatTokens(cost.inputTokens)} tokens in, {formatTokens(cost.outputTokens)} out
      </span>
    </PageLink>
  );
}

/** The base branch, and when something was last merged into it. */
function MainBranch({ fleet }: { readonly fleet: VitalsInput }) {
  const project = useProject();
  const projects = (useQuery(projectsQuery()).data?.data ?? []).filter(({ id }) => project === null || id === project);
  const all = useQuery(mergedQuery()).data?.data ?? [];
  const { value, label, isGreen } = countMain(projects, all);
  const [latest] = fleet.merged;
  if (projects.length === 0) return null;
  return (
    <div className="vital">
      <span className="vital-figure">
        {isGreen ? <MarkShape mark="ready" /> : null}
        <b>{value}</b> <span className="ink-2">{label}</span>
      </span>
      <span className="vital-context small ink-3">
        {latest === undefined ? "no merge today" : `last merge ${formatClock(latest.updatedAt)}`}
      </span>
    </div>
  );
}
