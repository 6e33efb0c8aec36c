import { shortCommit } from "../hash.ts";
import type { TrustPolicy } from "../policy.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { namesOf } from "./names.ts";
import type { ChangeState } from "./state.ts";
import { HELD_PUSH, needsPass } from "./trust.ts";

/** A commit that the forge lacks: it cannot be checked or merged. */
export function unpublished(change: ChangeState): readonly DetectedProblem[] {
  const { forge, head } = change;
  const failure = forge?.failure?.head === head ? forge.failure : null;
  const foreign = forge?.foreign ?? null;
  const unpushed = failure === null ? null : `${shortCommit(head)} not pushed: ${failure.reason}`;
  const text = unpushed ?? (foreign === null ? null : describeForeign(change, foreign));
  if (text === null) return [];
  return [
    {
      id: "push-failed",
      key: "push-failed",
      occurrence: `${shortCommit(head)}.${text.slice(0, 100)}`,
      text,
      variables: (reader) => ({ ...namesOf(change, reader), head: shortCommit(head) }),
    },
  ];
}

/** A commit that is not pushed until a person passes it on. */
export function heldPush(change: ChangeState, trust: TrustPolicy | undefined): readonly DetectedProblem[] {
  if (!needsPass(change, trust)) return [];
  const head = shortCommit(change.head);
  return [
    {
      id: HELD_PUSH,
      key: HELD_PUSH,
      occurrence: head,
      text: `${head} not pushed: ${describeReader(change)} read text from ${change.readUntrusted?.from ?? "a stranger"}`,
      variables: (reader) => namesOf(change, reader),
    },
  ];
}

function describeReader({ readUntrusted, sessionId }: ChangeState): string {
  const via = readUntrusted?.via ?? sessionId;
  return via === sessionId ? "its agent" : `it is based on the work of ${via}, whose agent`;
}

/** Why a branch is not pushed over what somebody else pushed. */
export function describeForeign(change: ChangeState, head: string): string {
  return `somebody else pushed ${shortCommit(head)} to ${change.branch}; merge it into the branch`;
}
