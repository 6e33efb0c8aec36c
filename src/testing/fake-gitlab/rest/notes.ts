import { hookPayload } from "../hook-payload.ts";
import type { Discussion, Note, Noteable, Project } from "../model.ts";
import { presentDiscussion, presentNote } from "../present.ts";
import { askAgain } from "../reviewers.ts";
import { addDiscussion, addReply, type World } from "../world.ts";
import {
  type Api,
  bodyOf,
  type Call,
  HttpProblem,
  issueOf,
  mergeRequestOf,
  projectOf,
  sendPage,
  textOf,
} from "./context.ts";

interface Kind {
  readonly kind: "Issue" | "MergeRequest";
  readonly path: string;
  readonly find: (project: Project, call: Call) => Noteable;
}

const KINDS: readonly Kind[] = [
  { kind: "Issue", path: "/projects/:id/issues/:iid{[0-9]+}", find: issueOf },
  { kind: "MergeRequest", path: "/projects/:id/merge_requests/:iid{[0-9]+}", find: mergeRequestOf },
];

/** Comments and threads of issues and merge requests. */
export function routeNotes(api: Api, world: World): void {
  for (const kind of KINDS) {
    routePlainNotes(api, world, kind);
    routeDiscussions(api, world, kind);
  }
}

function routePlainNotes(api: Api, world: World, { kind, path, find }: Kind): void {
  api.get(`${path}/notes`, (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const notes = on.discussions.flatMap((discussion) => discussion.notes);
    const sorted = call.req.query("sort") === "asc" ? notes : notes.toReversed();
    return sendPage(
      call,
      sorted.map((note) => presentNote(world, { on, kind, project }, note)),
    );
  });
  api.post(`${path}/notes`, async (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const body = requireBody(await bodyOf(call));
    const asked = kind === "MergeRequest" ? /^\/request_review @(\S+)$/.exec(body)?.[1] : undefined;
    if (asked !== undefined) {
      askAgain(world, { request: mergeRequestOf(project, call), by: world.user(asked) });
      // A quick action alone creates no note.
      return call.json({ commands_changes: {}, summary: [`Requested a review from @${asked}.`] }, 202);
    }
    const [note] = addDiscussion(world, on, { author: call.get("user"), body, isSingle: true }).notes;
    emitNote(world, project, { on, kind, note });
    return call.json(note === undefined ? null : presentNote(world, { on, kind, project }, note), 201);
  });
  api.put(`${path}/notes/:note`, async (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const notes = on.discussions.flatMap((discussion) => discussion.notes);
    const note = notes.find(({ id }) => String(id) === call.req.param("note"));
    if (note === undefined) throw new HttpProblem(404, "404 Not found");
    if (note.author !== call.get("user")) throw new HttpProblem(403, "403 Forbidden");
    note.body = requireBody(await bodyOf(call));
    note.updatedAt = world.now();
    on.updatedAt = world.now();
    return call.json(presentNote(world, { on, kind, project }, note));
  });
}

function routeDiscussions(api: Api, world: World, { kind, path, find }: Kind): void {
  const discussionOf = (on: Noteable, call: Call): Discussion => {
    const found = on.discussions.find(({ id }) => id === call.req.param("discussion"));
    if (found === undefined) throw new HttpProblem(404, "404 Discussion Not Found");
    return found;
  };
  api.get(`${path}/discussions`, (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    return sendPage(
      call,
      on.discussions.map((discussion) => presentDiscussion(world, { on, kind, project }, discussion)),
    );
  });
  api.post(`${path}/discussions`, async (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const body = requireBody(await bodyOf(call));
    const discussion = addDiscussion(world, on, { author: call.get("user"), body });
    emitNote(world, project, { on, kind, note: discussion.notes[0] });
    return call.json(presentDiscussion(world, { on, kind, project }, discussion), 201);
  });
  api.post(`${path}/discussions/:discussion/notes`, async (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const discussion = discussionOf(on, call);
    const body = requireBody(await bodyOf(call));
    const note = addReply(world, on, { discussion, author: call.get("user"), body });
    emitNote(world, project, { on, kind, note });
    return call.json(presentNote(world, { on, kind, project }, note), 201);
  });
  api.put(`${path}/discussions/:discussion`, async (call) => {
    const project = projectOf(world, call);
    const on = find(project, call);
    const discussion = discussionOf(on, call);
    if (discussion.isSingle) throw new HttpProblem(400, "400 Bad request - Discussion is not resolvable");
    const resolved = String((await bodyOf(call))["resolved"]) === "true";
    discussion.resolvedBy = resolved ? call.get("user") : null;
    on.updatedAt = world.now();
    return call.json(presentDiscussion(world, { on, kind, project }, discussion));
  });
}

function requireBody(body: Readonly<Record<string, unknown>>): string {
  const text = textOf(body["body"]) ?? "";
  if (text === "") throw new HttpProblem(400, '400 Bad request - Note {:note=>["can\'t be blank"]}');
  return text;
}

interface Noted {
  readonly on: Noteable;
  readonly kind: Kind["kind"];
  readonly note: Note | undefined;
}

/** Sends webhooks about a comment. */
export function emitNote(world: World, project: Project, { on, kind, note }: Noted): void {
  if (note === undefined) return;
  world.webhooks.emit(project, "Note Hook", {
    object_kind: "note",
    event_type: "note",
    ...hookPayload(world, project, note.author),
    object_attributes: { id: note.id, note: note.body, noteable_type: kind, noteable_id: on.id },
    [kind === "Issue" ? "issue" : "merge_request"]: { id: on.id, iid: on.iid },
  });
}
