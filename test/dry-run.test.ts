import { describe, expect, it } from "vitest";
import { factsOf } from "../src/core/project/state.ts";
import type { DryRunView } from "../src/protocol/views/dry-run.ts";
import { createDryRuns, type DryRunLimits } from "../src/server/dry-run.ts";
import { type ActionsBed, openActionsBed, PULL_REQUEST, SESSION } from "./support/actions-bed.ts";

const FILE = "/repo/agent-orchestrator.yaml";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** People merge, without approvals, and main is guarded. */
const IN_FORCE = `
limits: { parallelAgents: 2 }
projects:
  demo:
    path: .
    checks:
      unit: { run: run-unit }
      late: { run: run-late, on: [main], required: false }
    mainGuard: auto
    reactions:
      approved-and-green: { action: notify }
      changes-requested: { action: send-to-agent, message: "!commit fixed.txt" }
    policies: { approvals: 0 }
`;
const MERGING = IN_FORCE.replace(
  "approved-and-green: { action: notify }",
  "approved-and-green: { auto: true, action: merge }",
);

/** A project under `IN_FORCE` whose agent has a green pull request; on main, `late` is red with the agent's file if wanted; old: from before sizes were always measured. */
async function aPullRequest({ isBad = false, isOld = false } = {}): Promise<ActionsBed> {
  const started: { at?: ActionsBed } = {};
  const hasFile = (commit: string): boolean =>
    started.at?.bed.world.repository.get(commit)?.tree.has("made.txt") === true;
  const at = await openActionsBed({
    ports: ({ scm }) => ({
      scm: {
        ...scm,
        runCheck: async ({ check, commit }) =>
          isBad && check === "late" && hasFile(commit)
            ? { kind: "failed", code: 1, log: "", tookMs: 1 }
            : { kind: "passed", log: "", tookMs: 1 },
      },
    }),
  });
  started.at = at;
  const { bed, actions } = at;
  const project = bed.engine.loop.world.view.project("demo");
  if (project === undefined) throw new Error("no project");
  await bed.submit({ type: "project.register", ...factsOf(project), configFile: FILE }, "with its file");
  const policy = (await actions.rulesOfEdit({ project: "demo", text: IN_FORCE })).get("demo")?.after;
  if (policy === undefined) throw new Error("no rules");
  const { held, ...older } = policy;
  const inForce = isOld || held === undefined ? older : policy;
  await bed.submit({ type: "project.policy", id: "demo", policy: inForce }, "rules in force");
  await actions.sendMessage(SESSION, "!commit made.txt", {});
  await at.until("the check", () => changeOf(at)?.checks["unit"]?.state === "passed");
  await bed.idle();
  return at;
}

function changeOf({ bed }: ActionsBed) {
  return bed.engine.loop.world.view.change(PULL_REQUEST);
}

/** A person merges it after half an hour. */
async function mergeLater(at: ActionsBed): Promise<void> {
  await at.bed.advance(30 * MINUTE);
  await at.actions.pullRequests.merge(PULL_REQUEST, { strategy: null, override: null, wait: false }, {});
  await at.until("the merge", () => changeOf(at)?.phase === "merged");
  await at.bed.idle();
}

interface Asked {
  /** How long after the last event. */
  readonly laterMs?: number;
  readonly limits?: DryRunLimits;
  readonly signal?: AbortSignal;
}

/** Only with what a dry run may use: calling anything else would throw. */
function dryRun(
  { actions, kernel }: ActionsBed,
  text: string,
  { limits, signal, laterMs = 0 }: Asked = {},
): Promise<DryRunView> {
  const { engine, store, rulesOfEdit } = actions;
  const reads = { world: engine.world, lastPosition: engine.lastPosition };
  const run = createDryRuns({ engine: reads, store: { read: store.read }, rulesOfEdit }, limits);
  const call = { now: kernel.host.clock.now() + laterMs, signal: signal ?? new AbortController().signal };
  return run({ project: "demo", text }, call);
}

const rowsOf = ({ data }: DryRunView): readonly string[] =>
  data.map(({ kind, count, reason }) => `${count} ${kind}${reason === null ? "" : `: ${reason}`}`);

describe("a dry run of an edited configuration", () => {
  it("counts the merges that would not have waited for a person, and changes nothing", async () => {
    const at = await aPullRequest();
    await mergeLater(at);
    const log = await at.bed.store.read(0, 10_000);
    const view = await dryRun(at, MERGING);
    expect(rowsOf(view)).toEqual(["1 automatic", "1 fewer-notifications"]);
    expect(view).toMatchObject({ projects: ["demo"], events: log.length });
    expect(view.data[0]?.savedMs).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(view.data[0]?.examples).toEqual([{ pullRequest: PULL_REQUEST, session: null, name: "#1", text: null }]);
    expect(view.data[1]?.examples).toMatchObject([{ name: "#1", text: "notified you: approved and green" }]);
    expect(await at.bed.store.read(0, 10_000)).toEqual(log);
    expect(changeOf(at)?.merged?.by).not.toBe("ao");
  });

  it("warns of a merge that the main guard reverted", async () => {
    const at = await aPullRequest({ isBad: true });
    await mergeLater(at);
    await at.until("the revert", () => at.bed.world.repository.head("main") !== changeOf(at)?.merged?.commit);
    await at.bed.idle();
    expect(rowsOf(await dryRun(at, MERGING))).toContain("1 bad");
  });

  it("says what merges would still wait for", async () => {
    const at = await aPullRequest();
    await mergeLater(at);
    const text = MERGING.replace("approvals: 0", "approvals: 1");
    expect(rowsOf(await dryRun(at, text))).toContain("1 still-waits: it needs 1 approval");
  });

  it("claims nothing about a rule whose facts were not recorded", async () => {
    const at = await aPullRequest({ isOld: true });
    await mergeLater(at);
    const text = MERGING.replace("approvals: 0", 'approvals: 0, paths: { "src/payment/**": human }');
    expect(rowsOf(await dryRun(at, text))).toContain("1 unknown: its size was not recorded");
  });

  it("counts messages that agents would no longer get", async () => {
    const at = await aPullRequest();
    const head = changeOf(at)?.head;
    await at.actions.pullRequests.review(PULL_REQUEST, { verdict: "request-changes", body: "Name it better." }, {});
    await at.until("the requested changes", () => changeOf(at)?.head !== head);
    await at.bed.idle();
    const text = IN_FORCE.replace('action: send-to-agent, message: "!commit fixed.txt"', "action: notify");
    const rows = rowsOf(await dryRun(at, text));
    expect(rows).toEqual(["1 fewer-messages", "1 more-notifications"]);
    expect(rowsOf(await dryRun(at, MERGING))).toContain("1 unfinished: later changed");
  });

  it("replays nothing if no rule changes", async () => {
    const at = await aPullRequest();
    const text = IN_FORCE.replace("parallelAgents: 2", "parallelAgents: 7");
    expect(await dryRun(at, text)).toMatchObject({ projects: [], events: 0, data: [] });
  });

  it("reports nothing about what is older than 7 days", async () => {
    const at = await aPullRequest();
    await mergeLater(at);
    expect(await dryRun(at, MERGING, { laterMs: 8 * DAY })).toMatchObject({ projects: ["demo"], events: 0, data: [] });
  });

  it("begins later if there are too many events", async () => {
    const at = await aPullRequest();
    await mergeLater(at);
    const view = await dryRun(at, MERGING, { limits: { events: 5, ms: 20_000 } });
    expect(view.events).toBe(5);
    const [first] = await at.bed.store.read((await countEvents(at)) - 5, 1);
    expect(Date.parse(view.since)).toBe(first?.at);
  });

  it("is given up when it takes too long or its caller is gone", async () => {
    const at = await aPullRequest();
    const late = dryRun(at, MERGING, { limits: { events: 5, ms: -1 } });
    await expect(late).rejects.toMatchObject({ code: "timeout" });
    const gone = AbortSignal.abort();
    await expect(dryRun(at, MERGING, { signal: gone })).rejects.toMatchObject({ code: "timeout" });
  });

  it("rejects an invalid text", async () => {
    const at = await aPullRequest();
    const text = MERGING.replace("approvals", "aprovals");
    await expect(dryRun(at, text)).rejects.toMatchObject({ code: "config-invalid" });
  });
});

async function countEvents({ bed }: ActionsBed): Promise<number> {
  return (await bed.store.read(0, 100_000)).length;
}
