import { mergeStatus } from "../merge-status.ts";
import type { MergeRequest, Project, User } from "../model.ts";
import { addDiscussion, type World } from "../world.ts";
import { type Api, bodyOf, HttpProblem, mergeRequestOf, projectOf, sendPage } from "./context.ts";

/** Merge trains: listing, joining and leaving. */
export function routeTrains(api: Api, world: World): void {
  api.get("/projects/:id/merge_trains/:branch", (call) => {
    const project = requireTrains(projectOf(world, call));
    return sendPage(call, presentTrain(project));
  });
  api.post("/projects/:id/merge_trains/merge_requests/:iid{[0-9]+}", async (call) => {
    const project = requireTrains(projectOf(world, call));
    const request = mergeRequestOf(project, call);
    const { sha } = await bodyOf(call);
    if (sha !== request.head) throw new HttpProblem(409, "SHA does not match HEAD of source branch");
    if ((await mergeStatus(project, request)) !== "mergeable") throw new HttpProblem(400, "Failed to merge");
    project.train.add(request.iid);
    return call.json(presentTrain(project), 201);
  });
  api.post("/projects/:id/merge_requests/:iid{[0-9]+}/cancel_merge_when_pipeline_succeeds", (call) => {
    const project = projectOf(world, call);
    const request = mergeRequestOf(project, call);
    if (!project.train.has(request.iid)) throw new HttpProblem(406, "Can't cancel the automatic merge");
    leaveTrain(world, project, { request, by: call.get("user") });
    return call.json({ status: "success" }, 201);
  });
}

interface Leave {
  readonly request: MergeRequest;
  readonly by: User;
  /** Absent: a user removed it. */
  readonly reason?: string;
}

/** Removes a merge request from the train, with GitLab's system note. */
export function leaveTrain(world: World, project: Project, { request, by, reason }: Leave): void {
  project.train.delete(request.iid);
  const why = reason === undefined ? "" : ` because ${reason}`;
  const body = `removed this merge request from the merge train${why}`;
  addDiscussion(world, request, { author: by, body, isSystem: true, isSingle: true });
}

function requireTrains(project: Project): Project {
  if (!project.settings.mergeTrains) throw new HttpProblem(404, "404 Not found");
  return project;
}

function presentTrain({ train, mergeRequests }: Project): readonly object[] {
  return [...train].flatMap((iid) => {
    const request = mergeRequests.get(iid);
    if (request === undefined) return [];
    const { id, title, targetBranch } = request;
    return [{ id, merge_request: { id, iid, title }, target_branch: targetBranch, status: "fresh" }];
  });
}
