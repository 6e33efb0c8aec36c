import { readBranch } from "../../fake-forge/git.ts";
import { addMergeRequest, emitMergeRequest, mergeRequest } from "../merge-requests.ts";
import type { MergeRequest, Project } from "../model.ts";
import { isAbout } from "../pipelines.ts";
import { presentUser } from "../present.ts";
import { presentApprovals, presentMergeRequest, presentPipeline, presentVersion } from "../present-merge-request.ts";
import { approve } from "../reviews.ts";
import type { World } from "../world.ts";
import { type Api, bodyOf, type Call, HttpProblem, mergeRequestOf, projectOf, sendPage, textOf } from "./context.ts";
import { editedLabels } from "./issues.ts";

const ALL = "/projects/:id/merge_requests";
const ONE = `${ALL}/:iid{[0-9]+}`;

/** Merge requests: list, get, open, edit, merge. */
export function routeMergeRequests(api: Api, world: World): void {
  api.get(ALL, async (call) => {
    const project = projectOf(world, call);
    const found = [...project.mergeRequests.values()].filter(matches(call)).reverse();
    const shown = await Promise.all(found.map((request) => presentMergeRequest(world, project, request)));
    // Lists omit these.
    return sendPage(
      call,
      shown.map(({ head_pipeline: _, diff_refs: __, user: ___, ...rest }) => rest),
    );
  });
  api.get(ONE, async (call) => {
    const project = projectOf(world, call);
    return call.json(await presentMergeRequest(world, project, mergeRequestOf(project, call)));
  });
  api.post(ALL, async (call) => {
    const project = projectOf(world, call);
    const body = await bodyOf(call);
    const [title, sourceBranch, targetBranch] = ["title", "source_branch", "target_branch"].map(
      (name) => textOf(body[name]) ?? "",
    ) as [string, string, string];
    requireOpenable(project, { title, sourceBranch, targetBranch });
    const author = call.get("user");
    const description = textOf(body["description"]) ?? null;
    const request = addMergeRequest(world, project, { author, title, description, sourceBranch, targetBranch });
    request.labels = [...editedLabels(world, project, { labels: [], body })];
    await emitMergeRequest(world, project, { action: "open", request, by: author });
    return call.json(await presentMergeRequest(world, project, request), 201);
  });
  routeEdits(api, world);
  routeReviews(api, world);
}

function routeEdits(api: Api, world: World): void {
  api.put(ONE, async (call) => {
    const project = projectOf(world, call);
    const request = mergeRequestOf(project, call);
    const body = await bodyOf(call);
    request.title = textOf(body["title"]) ?? request.title;
    request.description = textOf(body["description"]) ?? request.description;
    request.labels = [...editedLabels(world, project, { labels: request.labels, body })];
    if (request.state !== "merged" && body["state_event"] === "close") request.state = "closed";
    if (request.state === "closed" && body["state_event"] === "reopen") request.state = "opened";
    request.closedBy = request.state === "closed" ? call.get("user") : null;
    request.updatedAt = world.now();
    await emitMergeRequest(world, project, { action: "update", request, by: call.get("user") });
    return call.json(await presentMergeRequest(world, project, request));
  });
  api.put(`${ONE}/merge`, async (call) => {
    const project = projectOf(world, call);
    const request = mergeRequestOf(project, call);
    const body = await bodyOf(call);
    const refusal = await mergeRequest(world, project, {
      request,
      by: call.get("user"),
      squash: body["squash"] === true,
      sha: textOf(body["sha"]),
      message: textOf(body["merge_commit_message"]),
      squashMessage: textOf(body["squash_commit_message"]),
      removeBranch: body["should_remove_source_branch"] === true,
    });
    if (refusal !== null) throw new HttpProblem(refusal.status, refusal.message);
    return call.json(await presentMergeRequest(world, project, request));
  });
}

function routeReviews(api: Api, world: World): void {
  api.get(`${ONE}/approvals`, (call) => {
    const project = projectOf(world, call);
    return call.json(presentApprovals(world, project, mergeRequestOf(project, call)));
  });
  api.post(`${ONE}/approve`, async (call) => {
    const project = projectOf(world, call);
    const request = mergeRequestOf(project, call);
    const sha = textOf((await bodyOf(call))["sha"]);
    if (sha !== undefined && sha !== request.head) {
      throw new HttpProblem(409, "SHA does not match HEAD of source branch");
    }
    const by = call.get("user");
    if (request.approvals.some((approval) => approval.by === by)) throw new HttpProblem(401, "401 Unauthorized");
    await approve(world, project, { request, by });
    return call.json(presentApprovals(world, project, request), 201);
  });
  api.get(`${ONE}/reviewers`, (call) => {
    const project = projectOf(world, call);
    const { reviewers } = mergeRequestOf(project, call);
    return call.json(
      reviewers.map(({ user, state, createdAt }) => ({
        user: presentUser(world, user),
        state,
        created_at: new Date(createdAt).toISOString(),
      })),
    );
  });
  api.get(`${ONE}/versions`, (call) => {
    const project = projectOf(world, call);
    const request = mergeRequestOf(project, call);
    return sendPage(
      call,
      request.versions.toReversed().map((version) => presentVersion(request, version)),
    );
  });
  api.get(`${ONE}/pipelines`, (call) => {
    const project = projectOf(world, call);
    const { head, iid, source } = mergeRequestOf(project, call);
    const train = `refs/merge-requests/${iid}/train`;
    const shown = [...new Set([project, source])].flatMap((where) =>
      where.pipelines
        .filter((one) => isAbout(one, head) || one.ref === train)
        .map((pipeline) => presentPipeline(world, where, pipeline)),
    );
    return sendPage(
      call,
      shown.toSorted((one, other) => other.id - one.id),
    );
  });
}

function matches(call: Call): (request: MergeRequest) => boolean {
  const state = call.req.query("state") ?? "all";
  const source = call.req.query("source_branch");
  const iids = call.req.queries("iids[]");
  return (request) =>
    (state === "all" || request.state === state) &&
    (source === undefined || request.sourceBranch === source) &&
    (iids === undefined || iids.includes(String(request.iid)));
}

interface Wanted {
  readonly title: string;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

function requireOpenable(project: Project, { title, sourceBranch, targetBranch }: Wanted): void {
  if (title.trim() === "") throw new HttpProblem(400, { title: ["can't be blank"] });
  const head = readBranch(project.gitDir, sourceBranch);
  const base = readBranch(project.gitDir, targetBranch);
  if (head === null || base === null) throw new HttpProblem(400, { base: ["Source or target branch does not exist"] });
  const same = [...project.mergeRequests.values()].find(
    (one) =>
      one.state === "opened" &&
      one.source === project &&
      one.sourceBranch === sourceBranch &&
      one.targetBranch === targetBranch,
  );
  if (same !== undefined) {
    throw new HttpProblem(409, [`Another open merge request already exists for this source branch: !${same.iid}`]);
  }
}
