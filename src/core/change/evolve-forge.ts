import type { ChangeEvent } from "./events.ts";
import { withoutRerun } from "./evolve-check.ts";
import type { ForkBranch } from "./found-change.ts";
import type { ChangeState, ForgeFacts, HeldBack } from "./state.ts";

const FORGE_EVENTS = [
  "change.published",
  "change.publish-failed",
  "change.diverged",
  "change.observed",
  "change.write-queued",
  "change.write-held",
  "change.write-settled",
] as const;

type ForgeEvent = Extract<ChangeEvent, { readonly type: (typeof FORGE_EVENTS)[number] }>;

/** Is this about what `ao` and the forge know of each other? */
export function isForgeEvent(event: ChangeEvent): event is ForgeEvent {
  return (FORGE_EVENTS as readonly string[]).includes(event.type);
}

/** What is known of a pull request that has just been opened on a forge elsewhere. */
export function newOnForge(head: string, isOwnDraft?: true, fork?: ForkBranch): ForgeFacts {
  const nothing = { failure: null, foreign: null, version: "", seen: null, writes: [], written: 0 };
  const own = isOwnDraft === true ? { isOwnDraft } : {};
  return { published: head, pushes: 0, ...nothing, ...own, ...(fork === undefined ? {} : { fork }) };
}

/** Applies an event to what `ao` and the forge know about each other. */
export function evolveForge(state: ChangeState, event: ForgeEvent): ChangeState {
  const { forge } = state;
  if (forge === undefined) return state;
  const next = event.type === "change.write-settled" ? settled(state, event) : state;
  const moved = event.type === "change.observed" && event.url !== undefined ? { url: event.url } : {};
  return { ...next, ...moved, forge: apply(forge, event, state.head) };
}

function settled(state: ChangeState, event: Extract<ForgeEvent, { type: "change.write-settled" }>): ChangeState {
  const write = state.forge?.writes.find(({ id }) => id === event.id);
  return write?.kind === "rerun" && event.reason !== null ? withoutRerun(state, write.check) : state;
}

function apply(forge: ForgeFacts, event: ForgeEvent, head: string): ForgeFacts {
  switch (event.type) {
    case "change.published":
      return { ...forge, published: event.head, foreign: null, failure: null, pushes: forge.pushes + 1 };
    case "change.publish-failed": {
      const { head: failed, reason, notBefore } = event;
      const count = forge.failure?.head === failed ? forge.failure.count + 1 : 1;
      return { ...forge, failure: { head: failed, reason, notBefore, count }, pushes: forge.pushes + 1 };
    }
    case "change.diverged":
      return { ...forge, foreign: event.head, pushes: forge.pushes + 1 };
    case "change.observed": {
      const { type: _, version, url: _page, ...seen } = event;
      const facts = { ...forge, version, seen, foreign: seen.head === head ? null : forge.foreign };
      // A person was faster.
      return seen.isDraft === true ? facts : withoutDraft(facts);
    }
    case "change.write-queued": {
      const facts = { ...forge, writes: [...forge.writes, event.write], written: forge.written + 1 };
      return event.write.kind === "ready" ? withoutDraft(facts) : facts;
    }
    case "change.write-held": {
      const hold = (count: number): HeldBack => ({ notBefore: event.notBefore, count: count + 1 });
      const writes = forge.writes.map((write) =>
        write.id === event.id ? { ...write, held: hold(write.held?.count ?? 0) } : write,
      );
      return { ...forge, writes };
    }
    case "change.write-settled":
      return { ...forge, writes: forge.writes.filter(({ id }) => id !== event.id) };
  }
}

function withoutDraft({ isOwnDraft: _, ...forge }: ForgeFacts): ForgeFacts {
  return forge;
}
