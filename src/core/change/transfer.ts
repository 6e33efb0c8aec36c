import { type Emitted, onChange } from "../event.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { describeFailure, type IntentOutcome, type IntentSpec, intentId, type Wanted } from "../intent.ts";
import { changeStream } from "../stream.ts";
import type { World } from "../world.ts";
import { changeOnForge } from "./key.ts";
import type { ChangeState } from "./state.ts";

type TransferSpec = Extract<IntentSpec, { readonly kind: "transfer-change" }>;

/** Asks for a local pull request to be opened on the forge of its project; what is there already stays as it is. */
export function decideTransfer(
  world: World,
  change: ChangeState,
  { by }: Pick<CommandOf<"change.transfer">, "by">,
): Decision {
  const { key, number, projectId, branch, forge, transfer, mergeRequest } = change;
  if (forge !== undefined || transfer?.isPending === true) return accept([]);
  const project = world.project(projectId);
  if (project?.policy == null || project.policy.scm.plugin === "local") {
    const hint = `\`ao config set projects.${projectId}.scm github\` (or gitlab) gives it one; then run this again.`;
    return reject("conflict", `Project ${projectId} has no forge: its pull requests are on this machine.`, hint);
  }
  if (mergeRequest?.isUnderWay === true) {
    return reject("conflict", `Pull request #${number} is being merged.`, "Wait for it to end: `ao pr show`.");
  }
  for (const other of world.changesOn(projectId, branch)) {
    if (other.phase !== "open" || other.forge === undefined) continue;
    const hint = `\`ao pr close ${key}\` closes the one on this machine.`;
    return reject("conflict", `Branch ${branch} already has #${other.number} on the forge.`, hint);
  }
  return accept(onChange(key, { type: "change.transfer-requested", by }));
}

/** The pull request that is to be opened on the forge. A person asked for it, so that a pause does not hold it back. */
export function transferWanted({ key, head, phase, forge, transfer }: ChangeState): Wanted["intents"] {
  if (phase !== "open" || forge !== undefined || transfer?.isPending !== true) return [];
  const stream = changeStream(key);
  const spec: TransferSpec = { kind: "transfer-change", changeKey: key, head };
  return [{ id: intentId(stream, spec.kind, "asked", transfer.attempt), stream, lane: `forge:${key}`, spec }];
}

/** What became of a pull request that was to be opened on the forge. */
export function decideTransferred(
  world: World,
  change: ChangeState,
  { spec: { head }, outcome }: { readonly spec: TransferSpec; readonly outcome: IntentOutcome },
): readonly Emitted[] {
  const fail = (reason: string): readonly Emitted[] => onChange(change.key, { type: "change.transfer-failed", reason });
  if (outcome.kind !== "change-opened") return fail(describeFailure(outcome));
  const { number, url, isDraft } = outcome;
  const known = changeOnForge(world, change.projectId, number);
  if (known !== undefined) return fail(`Its branch has #${number} on the forge, which ao knows as ${known.key}.`);
  const { labels } = change;
  // What the forge lacks would count as removed there.
  const write = { id: "w1", about: "label", kind: "label", add: labels, remove: [] } as const;
  return onChange(
    change.key,
    { type: "change.transferred", number, head, ...(url === null ? {} : { url }), ...(isDraft ? { isDraft } : {}) },
    ...(labels.length === 0 ? [] : [{ type: "change.write-queued", write } as const]),
  );
}
