import "./vitals.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { capacityQuery, mergedQuery } from "../../data/fleet-queries.ts";
import { inboxQuery, projectsQuery, sessionsQuery } from "../../data/queries.ts";
import { formatCost, formatTokens, isReported } from "../../lib/cost.ts";
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
import { slotBlocks } from "./slot-blocks.ts";
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
    inbox: useInboxCount(project),
    merged,
    slots: useSlots(project),
    now,
  };
  const needs = countNeeds(input);
  return (
    <section className={isLine ? "vitals vitals-line" : "vitals"} aria-label="Vitals">
      <Cell vital={needs} tone={needs.value === "0" ? "ink-3" : "you"} />
      <Cell vital={countAgents(input)} isShort={isShort}>
        <Slots fleet={fleet} slots={input.slots} />
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

function useInboxCount(project: string | null): number {
  const entries = useQuery(inboxQuery()).data?.data ?? [];
  return entries.filter(({ projectId }) => project === null || projectId === project).length;
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

/** One block per slot, or per agent if their number is not limited. */
function Slots({ fleet, slots }: { readonly fleet: Fleet; readonly slots: VitalsInput["slots"] }) {
  const blocks = slotBlocks(fleet.sessions ?? [], slots);
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

function CostToday({ isShort }: { readonly isShort: boolean }) {
  const cost = useQuery(sessionsQuery()).data?.fleet.costToday;
  if (cost === undefined) return null;
  return (
    <PageLink className="vital" href="/cost">
      <span className="vital-figure">
        <b>{formatCost(cost)}</b> {isShort ? null : <span className="ink-2">today</span>}
      </span>
      <span className="vital-context small ink-3">
        {isReported(cost)
          ? `${formatTokens(cost.inputTokens)} tokens in, ${formatTokens(cost.outputTokens)} out`
          : "no cost reported"}
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
