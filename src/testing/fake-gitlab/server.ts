import { serveGit } from "../fake-forge/git-http.ts";
import { type Exchange, type ListeningServer, listen } from "../fake-forge/server.ts";
import type { DeliveryHeaders } from "../fake-forge/webhooks.ts";
import { type ApiParts, createApi, tokenOf } from "./api.ts";
import { followBranches, mayPush } from "./merge-requests.ts";
import { findProject, type World } from "./world.ts";

/** Listens as GitLab: the API below `/api/v4`, and git. */
export function listenAsGitlab(parts: ApiParts): Promise<ListeningServer> {
  return listen({
    now: parts.world.now,
    faults: parts.faults,
    apiPath: (pathname) => (pathname.startsWith("/api/v4/") ? pathname.slice("/api/v4".length) : null),
    api: createApi(parts),
    other: (exchange) => serveProject(parts.world, exchange),
    slowDown: { status: 429, message: "This endpoint has been requested too many times. Try again later." },
  });
}

async function serveProject(world: World, { request, response, url }: Exchange): Promise<void> {
  const [, path = "", rest = ""] = /^\/(.+?)\.git(\/.*)$/.exec(url.pathname) ?? [];
  const project = findProject(world, path);
  const token = tokenOf(world, new Headers({ authorization: request.headers.authorization ?? "" }));
  if (token === null || project === null) {
    response.statusCode = token === null ? 401 : 404;
    if (token === null) response.setHeader("www-authenticate", 'Basic realm="GitLab"');
    request.resume();
    response.end();
    return;
  }
  const isPush = rest === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  if (isPush && !mayPush(world, project, token.user)) {
    response.statusCode = 403;
    request.resume();
    response.end("You are not allowed to push code to this project.");
    return;
  }
  const { gitDir } = project;
  await serveGit(request, response, { gitDir, path: rest, query: url.search.slice(1), login: token.user.username });
  if (request.method === "POST") for (const one of world.projects) await followBranches(world, one);
}

/** GitLab sends the secret itself; the receiver compares it. */
export const gitlabHeaders: DeliveryHeaders = ({ id, hook, event }) => ({
  "user-agent": "GitLab/fake",
  "x-gitlab-event": event,
  "x-gitlab-event-uuid": id,
  "x-gitlab-webhook-uuid": `hook-${hook.id}`,
  ...(hook.secret === null ? {} : { "x-gitlab-token": hook.secret }),
});
