import { nameOfChange } from "../core/change/key.ts";
import type { ChangeState } from "../core/change/state.ts";
import { AoError } from "../core/errors.ts";
import { needsOfChange } from "../core/need/change-needs.ts";
import { actionsOn, type Need } from "../core/need/need.ts";
import { needsOfProject } from "../core/need/project-needs.ts";
import type { ChangesThere } from "../core/need/red-base.ts";
import { needsOfSession } from "../core/need/session-needs.ts";
import { snoozedUntil } from "../core/need/snooze.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import { isPaused, type World } from "../core/world.ts";
import { compareNeeds, needRank } from "../protocol/need-order.ts";
import type { AttentionView, InboxView } from "../protocol/views/inbox.ts";
import type { ConfigProblem } from "./actions.ts";
import { toTime } from "./time.ts";

/** Something that waits for a person, as the inbox shows it. */
export interface InboxEntry {
  readonly view: Omit<InboxView, "question">;
  readonly need: Need;
}

/** Everything that waits for a person, in the order of `compareNeeds`. */
export function listInbox(world: World, problemOf: (projectId: string) => ConfigProblem | null): readonly InboxEntry[] {
  return listEntries(world, problemOf).filter(({ view }) => view.state === "open");
}

/** The same, including what was dismissed or snoozed. */
export function listEntries(
  world: World,
  problemOf: (projectId: string) => ConfigProblem | null,
): readonly InboxEntry[] {
  const bad = [...world.projects()].flatMap((project) => {
    // Its configuration went with it.
    const problem = project.removed || project.missing != null ? null : problemOf(project.id);
    const own = needsOfProject(project, changesOf(world, project.id)).map((need) => projectEntry(world, project, need));
    return problem === null ? own : [...own, configEntry(world, project, problem)];
  });
  const entries = [
    ...bad,
    ...[...world.sessions()].flatMap((session) => sessionEntries(world, session)),
    ...[...world.activeChanges()].flatMap((change) => changeEntries(world, change)),
  ];
  return sorted(entries, Date.now());
}

function changesOf(world: World, projectId: string): ChangesThere {
  return {
    nameOf: (key) => nameOfChange(world, key),
    isAwaited: (check) =>
      [...world.activeChanges(projectId)].some(({ checks }) => checks[check]?.attribution?.cause === "base"),
  };
}

/** The most urgent need of a session and its pull requests; null: none. */
export function attentionOf(
  world: World,
  session: SessionState,
  changes: readonly ChangeState[],
): AttentionView | null {
  const all = [...sessionEntries(world, session), ...changes.flatMap((change) => changeEntries(world, change))];
  const open = all.filter(({ view }) => view.state === "open");
  // They block the same tasks, so their order stays the same at any time after the last of them.
  const [first] = sorted(open, Math.max(...open.map(({ need }) => need.at)));
  if (first === undefined) return null;
  const { id, kind, actions, at, since, rank, attempts } = first.view;
  return { id, kind: first.need.question?.kind ?? kind, text: first.need.text, actions, at, since, rank, attempts };
}

/** The entry that a person means, by its id or an unambiguous prefix of it. */
export function findEntry(entries: readonly InboxEntry[], written: string): InboxEntry {
  const exact = entries.filter(({ view }) => view.id === written);
  const found = exact.length > 0 ? exact : entries.filter(({ view }) => view.id.startsWith(written));
  const [first] = found;
  if (first === undefined) {
    const message = `The inbox has no item "${written}".`;
    throw new AoError({ code: "not-found", message, hint: "`ao inbox` lists them." });
  }
  if (found.length === 1) return first;
  const ids = found.map(({ view }) => view.id).slice(0, 5);
  throw new AoError({
    code: "session-ambiguous",
    message: `"${written}" could be any of ${ids.join(", ")}${found.length > 5 ? ", ..." : ""}.`,
    hint: "Be more specific.",
  });
}

function sorted(entries: InboxEntry[], now: number): readonly InboxEntry[] {
  return entries.sort((a, b) => compareNeeds(a.view, b.view, now));
}

function sessionEntries(world: World, session: SessionState): readonly InboxEntry[] {
  const needs = needsOfSession(session, { paused: isPaused(world, session.projectId) });
  return needs.map((need) =>
    toEntry(world, need, {
      projectId: session.projectId,
      sessionId: session.id,
      pullRequest: null,
      // A problem's text is a fragment; the session's own state is a full sentence.
      text: need.kind === need.problem?.id ? `${session.title}: ${need.text}` : need.text,
      blocks: blocksOf(world, session),
    }),
  );
}

function changeEntries(world: World, change: ChangeState): readonly InboxEntry[] {
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  return needsOfChange(world, change).map((need) =>
    toEntry(world, need, {
      projectId: change.projectId,
      sessionId: change.sessionId ?? change.key,
      pullRequest: change.key,
      text: `#${change.number} ${change.title}: ${need.text.replace(new RegExp(`^#${change.number} is `), "it is ")}`,
      blocks: session === undefined ? [] : blocksOf(world, session),
    }),
  );
}

/** Open tasks of the project that depend on this session's issue. */
export function blocksOf(world: World, { projectId, issue }: SessionState): readonly string[] {
  return issue === null ? [] : world.dependents(projectId, issue);
}

function toEntry(
  world: World,
  need: Need,
  about: Pick<InboxView, "projectId" | "sessionId" | "pullRequest" | "text" | "blocks">,
): InboxEntry {
  const until = snoozedUntil(world.fleet(), need);
  return {
    need,
    view: {
      id: need.id,
      ...about,
      canAcknowledge: need.problem !== null,
      kind: need.kind,
      choices: need.question?.choices ?? [],
      actions: need.actions,
      rank: needRank(need.kind, about.blocks.length),
      attempts: need.attempts,
      state: need.isDismissed ? "dismissed" : until === null ? "open" : "snoozed",
      snoozedUntil: until === null ? null : toTime(until),
      at: toTime(need.at),
      since: toTime(need.since),
    },
  };
}

interface ConfigNeed {
  readonly kind: string;
  text(text: string, projectId: string): string;
}

const CONFIG_NEEDS: Readonly<Record<ConfigProblem["kind"], ConfigNeed>> = {
  invalid: { kind: "config", text: (text) => `ao keeps using the last good configuration: ${text}` },
  held: {
    kind: "config-held",
    text: (text, projectId) => `${text} \`ao config accept -p ${projectId}\` shows what it would do.`,
  },
  undecided: { kind: "config-rules", text: (text) => `ao cannot evaluate some rules: ${text}` },
};

function configEntry(world: World, project: ProjectState, { kind, text }: ConfigProblem): InboxEntry {
  const { id: projectId, at } = project;
  const shown = CONFIG_NEEDS[kind];
  const need: Need = {
    id: `${projectId}/${shown.kind}`,
    kind: shown.kind,
    text: shown.text(text, projectId),
    at,
    since: at,
    actions: actionsOn({ sessionId: null, pullRequest: null }, [kind === "held" ? "accept-config" : "configure"]),
    question: null,
    problem: null,
    attempts: null,
    isDismissed: false,
    occurrence: text,
  };
  return projectEntry(world, project, need);
}

function projectEntry(world: World, { id }: ProjectState, need: Need): InboxEntry {
  return toEntry(world, need, { projectId: id, sessionId: id, pullRequest: null, text: need.text, blocks: [] });
}
