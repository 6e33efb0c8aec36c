import { serveGit } from "../fake-forge/git-http.ts";
import { type Exchange, type ListeningServer, listen } from "../fake-forge/server.ts";
import { type ApiParts, createApi, tokenOf } from "./api.ts";
import { followBranches, mayPush } from "./pulls.ts";
import { findRepository } from "./world.ts";

/** Listens as GitHub: the API, git, and the host of job logs. */
export function listenAsGithub(parts: ApiParts): Promise<ListeningServer> {
  return listen({
    now: parts.world.now,
    faults: parts.faults,
    apiPath: (pathname) => {
      if (!pathname.startsWith("/api/")) return null;
      return pathname.replace(/^\/api\/v3(?=\/|$)/, "").replace(/^\/api(?=\/graphql$)/, "");
    },
    api: createApi(parts),
    other: (exchange) => serveOther(parts, exchange),
    slowDown: {
      status: 403,
      message: "You have exceeded a secondary rate limit. Please wait a few minutes.",
    },
  });
}

async function serveOther(parts: ApiParts, exchange: Exchange): Promise<void> {
  const log = /^\/logs\/(\d+)$/.exec(exchange.url.pathname);
  if (log === null) await serveRepository(parts, exchange);
  else serveLog(parts, exchange, Number(log[1]));
}

/** The log host signs its URLs: a client that sends it a token has leaked that token. */
function serveLog({ world }: ApiParts, { request, response }: Exchange, jobId: number): void {
  const isLeak = request.headers.authorization !== undefined;
  const job = world.repositories.flatMap(({ jobs }) => jobs).find(({ id }) => id === jobId);
  response.statusCode = isLeak ? 400 : job === undefined ? 404 : 200;
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.end(isLeak ? "Authorization must not be sent here" : (job?.log ?? ""));
}

async function serveRepository({ world }: ApiParts, { request, response, url }: Exchange): Promise<void> {
  const [, owner = "", name = "", path = ""] = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/.*)$/.exec(url.pathname) ?? [];
  const repository = findRepository(world, owner, name);
  const token = tokenOf(world, request.headers.authorization);
  if (token === null || repository === null) {
    response.statusCode = token === null ? 401 : 404;
    if (token === null) response.setHeader("www-authenticate", 'Basic realm="GitHub"');
    request.resume();
    response.end();
    return;
  }
  const isPush = path === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  if (isPush && !mayPush(world, repository, token.account)) {
    response.statusCode = 403;
    request.resume();
    response.end(`Permission to ${owner}/${name}.git denied to ${token.account.login}.`);
    return;
  }
  await serveGit(request, response, {
    gitDir: repository.gitDir,
    path,
    query: url.search.slice(1),
    login: token.account.login,
  });
  if (request.method === "POST") for (const one of world.repositories) await followBranches(world, one);
}
