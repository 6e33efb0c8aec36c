import type { ChangeState } from "./change/state.ts";
import type { AnyEvent, EventType } from "./event.ts";
import type { StreamState } from "./evolve.ts";
import type { ProjectFacts, ProjectState } from "./project/state.ts";
import { type StreamId, splitStream } from "./stream.ts";
import { withoutCredentials } from "./without-credentials.ts";

/** Event types that older logs have under another name. */
const RENAMED: Readonly<Record<string, EventType>> = {
  "agent.stirred": "agent.output-seen",
  "agent.unasked": "question.withdrawn",
  "agent.conversing": "conversation.known",
};

/** An event in its current form, whichever version wrote it. */
export function upcastEvent(stored: { readonly type: string }): AnyEvent {
  const type = Object.hasOwn(RENAMED, stored.type) ? RENAMED[stored.type] : stored.type;
  const event = { ...stored, type } as AnyEvent;
  return event.type === "project.registered" ? withPlainRepo(event) : event;
}

/** The state of a stream in its current form, whichever version wrote it. */
export function upcastState(stream: StreamId, stored: object): StreamState {
  const { kind } = splitStream(stream);
  if (kind === "project") return withPlainRepo(stored as ProjectState);
  if (kind !== "change" || !("wish" in stored)) return stored as StreamState;
  const { wish: mergeRequest, ...rest } = stored as { readonly wish: ChangeState["mergeRequest"] };
  return { ...rest, mergeRequest } as ChangeState;
}

// Older versions stored the address of the remote with the password or token in it.
function withPlainRepo<T extends ProjectFacts>(facts: T): T {
  return facts.repo == null ? facts : { ...facts, repo: withoutCredentials(facts.repo) };
}
