import type { FleetEvent } from "../core/fleet/events.ts";
import { shortCommit } from "../core/hash.ts";
import type { ProjectEvent } from "../core/project/events.ts";
import type { TaskEvent } from "../core/task/events.ts";
import { ENDED } from "./event-text-change.ts";
import type { EventTexts } from "./event-texts.ts";

/** The texts of events of tasks, projects and the fleet, with notices and effects. */
export const FLEET_TEXTS: EventTexts<(FleetEvent | ProjectEvent | TaskEvent)["type"]> = {
  "task.claimed": ({ sessionId }) => `claimed by ${sessionId}`,
  "task.released": ({ sessionId }) => `released by ${sessionId}`,
  "project.registered": ({ path }) => `registered ${path}`,
  "project.removed": () => "removed",
  "project.paused": () => "paused",
  "project.resumed": () => "resumed",
  "project.policy-set": () => "policy updated",
  "project.base-moved": ({ head }) => `base branch moved to ${shortCommit(head)}`,
  "project.vanished": ({ evidence }) => `repository missing: ${evidence}`,
  "project.reappeared": () => "repository is back",
  "project.base-followed": ({ head }) => `base branch followed to ${shortCommit(head)}`,
  "project.base-rewritten": ({ from, head, count }) =>
    head === null
      ? `base branch deleted, was at ${shortCommit(from)}`
      : `base branch rewritten: ${count === 1 ? "1 commit" : `${count} commits`} of ${shortCommit(from)} gone`,
  "project.base-committed": ({ sessions, head }) =>
    `the agent of ${sessions.join(", ")} committed to the base branch${head === null ? "" : ` (${shortCommit(head)})`}`,
  "project.base-accepted": ({ by }) => `${by} dismissed the warning about the base branch`,
  "collision.found": ({ session, other, files }) =>
    `${session} and ${other ?? "the base"} collide in ${files.join(", ")}`,
  "collision.gone": ({ session, other }) => `${session} and ${other ?? "the base"} no longer collide`,
  "project.completed": ({ merged }) => `all done, ${merged} merged`,
  "train.formed": ({ cars, base }, nameOf) =>
    `merge train: building ${cars.map(({ key }) => nameOf(key)).join(", ")} on ${shortCommit(base)}`,
  "train.built": ({ cars }, nameOf) =>
    `merge train: built ${cars.map((car) => `${nameOf(car.key)} as ${shortCommit(car.commit)}`).join(", ")}`,
  "train.released": ({ number }) => `merge train: what was built for batch ${number} is no longer kept`,
  "train.ended": ({ outcome, reason }) => `merge train: ${outcome}: ${reason}`,
  "train.paused": ({ by }) => `${by} paused the merge train`,
  "train.resumed": ({ by }) => `${by} resumed the merge train`,
  "train.reordered": ({ by, order }, nameOf) => `${by} reordered the merge train: ${order.map(nameOf).join(", ")}`,
  "check.flaked": ({ name, key, tests }, nameOf) =>
    `check \`${name}\` was flaky on ${nameOf(key)}${tests.length === 0 ? "" : `: ${tests.slice(0, 3).join(", ")}`}`,
  "commit.check-requested": ({ name, commit, key }, nameOf) =>
    `comparing check \`${name}\` of ${nameOf(key)} with the base (${shortCommit(commit)})`,
  "commit.check-started": ({ name, commit }) => `check \`${name}\` started on ${shortCommit(commit)}`,
  "commit.check-finished": ({ name, commit, state }) => `check \`${name}\` ${ENDED[state]} on ${shortCommit(commit)}`,
  "main.watched": ({ commit }) => `checking the base at ${shortCommit(commit)}`,
  "main.passed": ({ commit }) => `base green at ${shortCommit(commit)}`,
  "main.broke": ({ check, commit }) => `base red: check \`${check}\` on ${shortCommit(commit)}`,
  "main.blamed": ({ key, commit }, nameOf) =>
    key === null
      ? `no merge is known to have broken the base at ${shortCommit(commit)}`
      : `base broken by ${nameOf(key)}`,
  "main.reverted": ({ key, commit }, nameOf) => `reverted ${nameOf(key)} as ${shortCommit(commit)}`,
  "main.revert-failed": ({ key, reason }, nameOf) => `${nameOf(key)} could not be reverted: ${reason}`,
  "main.returned": ({ key, sessionId }, nameOf) =>
    `task of ${nameOf(key)} reopened${sessionId === null ? "" : `, evidence sent to ${sessionId}`}`,
  "fleet.limited": ({ limit, ciRuns }) =>
    `at most ${limit} agent${limit === 1 ? "" : "s"} in parallel${ciRuns === undefined ? "" : `, checks: ${ciRuns}`}`,
  "fleet.paused": () => "paused",
  "fleet.resumed": () => "resumed",
  "fleet.routing-set": () => "notification routing updated",
  "fleet.prices-set": () => "model prices updated",
  "inbox.snoozed": ({ id, until, by }) => `${by} snoozed ${id} until ${new Date(until).toISOString()}`,
  "inbox.returned": ({ id }) => `${id} is back in the inbox`,
  "daemon.started": ({ version }) => `daemon ${version} started`,
  "daemon.stopped": ({ reason }) => `daemon stopped: ${reason}`,
  "daemon.woke": ({ sleptMs }) => `machine slept for ${Math.round(sleptMs / 1000)} s`,
  "notice.raised": ({ priority, title }) => `${priority}: ${title}`,
  "notice.withdrawn": ({ ids, reason }) =>
    `${ids.length} notification${ids.length === 1 ? "" : "s"} withdrawn: ${reason}`,
  "notice.sending": ({ notifier }) => `notifying by ${notifier}`,
  "notice.sent": ({ notifier }) => `notified by ${notifier}`,
  "notice.failed": ({ notifier, reason }) => `could not notify by ${notifier}: ${reason}`,
  "intent.recorded": ({ spec }) => `wanted: ${spec.kind}`,
  "intent.started": ({ id }) => `started: ${id}`,
  "intent.finished": ({ outcome, id }) => `${outcome}: ${id}`,
  "intent.withdrawn": ({ id }) => `withdrawn: ${id}`,
};
