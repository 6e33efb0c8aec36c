import { changedFiles, commitsOf, git, readBranch } from "../../fake-forge/git.ts";
import { mergePull } from "../merge.ts";
import type { MergeMethod, Pull, Repository } from "../model.ts";
import { presentPull, presentSimplePull } from "../present/pull.ts";
import { repositoryUrl } from "../present/repository.ts";
import { emitPull, openPull, takeObjects } from "../pulls.ts";
import { findRepository, setState, type World } from "../world.ts";
import {
  type Api,
  bodyOf,
  type Call,
  HttpProblem,
  invalid,
  pullOf,
  repositoryOf,
  sendPage,
  textOf,
} from "./context.ts";

const LIST = "/repos/:owner/:repo/pulls";
const ONE = `${LIST}/:number{[0-9]+}`;

/** Pull requests: list, get, open, edit, merge, and their commits and files. */
export function routePulls(api: Api, world: World): void {
  api.get(LIST, (call) => {
    const repository = repositoryOf(world, call);
    const found = [...repository.pulls.values()].filter(matches(call)).reverse();
    return sendPage(
      call,
      found.map((pull) => presentSimplePull(world, repository, pull)),
    );
  });
  api.get(ONE, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    if (call.req.header("accept")?.includes("diff") === true) {
      const range = `${readBranch(repository.gitDir, pull.baseBranch)}...${pull.head}`;
      return call.text(`${await git(repository.gitDir, ["diff", range])}\n`);
    }
    return call.json(await presentPull(world, repository, pull));
  });
  api.post(LIST, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = await open(world, repository, call);
    await emitPull(world, repository, { action: "opened", pull, sender: pull.author });
    return call.json(await presentPull(world, repository, pull), 201);
  });
  api.patch(ONE, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    const before = pull.state;
    await edit(world, call, pull);
    const action = before === pull.state ? "edited" : pull.state === "closed" ? "closed" : "reopened";
    await emitPull(world, repository, { action, pull, sender: call.get("account") });
    return call.json(await presentPull(world, repository, pull));
  });
  routeMerge(api, world);
  routeContent(api, world);
}

function matches(call: Call): (pull: Pull) => boolean {
  const state = call.req.query("state") ?? "open";
  const head = call.req.query("head");
  const base = call.req.query("base");
  return (pull) =>
    (state === "all" || pull.state === state) &&
    (head === undefined || head === `${pull.headRepository.owner.login}:${pull.headBranch}`) &&
    (base === undefined || base === pull.baseBranch);
}

async function open(world: World, repository: Repository, call: Call): Promise<Pull> {
  const body = await bodyOf(call);
  const title = textOf(body["title"]);
  if (title === undefined || title === "") throw invalid("PullRequest", "title", "missing_field");
  const { head, from } = sideOf(world, repository, textOf(body["head"]) ?? "");
  const base = textOf(body["base"]) ?? "";
  const headCommit = readBranch(from.gitDir, head);
  const baseCommit = readBranch(repository.gitDir, base);
  if (headCommit === null) throw invalid("PullRequest", "head", "invalid");
  if (baseCommit === null) throw invalid("PullRequest", "base", "invalid");
  const label = `${from.owner.login}:${head}`;
  const isOpen = (one: Pull): boolean => one.state === "open" && one.headRepository === from && one.headBranch === head;
  if ([...repository.pulls.values()].some((one) => isOpen(one) && one.baseBranch === base)) {
    throw refused(`A pull request already exists for ${label}.`);
  }
  const fields = { author: call.get("account"), title, body: textOf(body["body"]) ?? null, head, base };
  const pull = openPull(world, repository, { ...fields, headRepository: from, draft: body["draft"] === true });
  await takeObjects(repository, pull, headCommit);
  if ((await commitsOf(repository.gitDir, baseCommit, headCommit)).length > 0) return pull;
  repository.issues.delete(pull.number);
  repository.pulls.delete(pull.number);
  throw refused(`No commits between ${base} and ${head}`);
}

function refused(message: string): HttpProblem {
  const errors = [{ resource: "PullRequest", code: "custom", message }];
  return new HttpProblem(422, "Validation Failed", { errors });
}

/** `branch` of the repository itself, or `owner:branch` of a fork. */
function sideOf(world: World, repository: Repository, written: string): { head: string; from: Repository } {
  const [owner, branch] = written.includes(":") ? written.split(":") : [repository.owner.login, written];
  const isOwn = owner === repository.owner.login;
  const from = isOwn
    ? repository
    : (world.repositories.find((one) => one.parent === repository && one.owner.login === owner) ??
      findRepository(world, owner ?? "", repository.name));
  if (from === null) throw invalid("PullRequest", "head", "invalid");
  return { head: branch ?? "", from };
}

async function edit(world: World, call: Call, pull: Pull): Promise<void> {
  const body = await bodyOf(call);
  pull.title = textOf(body["title"]) ?? pull.title;
  if (body["body"] !== undefined) pull.body = textOf(body["body"]) ?? null;
  pull.baseBranch = textOf(body["base"]) ?? pull.baseBranch;
  const state = textOf(body["state"]);
  if (state === "open" && pull.mergedAt !== null) throw invalid("PullRequest", "state", "invalid");
  if (state === "open" || state === "closed") setState(world, pull, { state });
  pull.updatedAt = world.now();
}

function routeMerge(api: Api, world: World): void {
  api.get(`${ONE}/merge`, (call) => {
    const { mergedAt } = pullOf(repositoryOf(world, call), call);
    return mergedAt === null ? call.json({ message: "Not Found" }, 404) : call.body(null, 204);
  });
  api.put(`${ONE}/merge`, async (call) => {
    const repository = repositoryOf(world, call);
    const body = await bodyOf(call);
    const answer = await mergePull(world, repository, {
      pull: pullOf(repository, call),
      method: (textOf(body["merge_method"]) ?? "merge") as MergeMethod,
      by: call.get("account"),
      sha: textOf(body["sha"]),
      title: textOf(body["commit_title"]),
      message: textOf(body["commit_message"]),
    });
    if ("status" in answer) throw new HttpProblem(answer.status, answer.message);
    return call.json({ sha: answer.commit, merged: true, message: "Pull Request successfully merged" });
  });
}

function routeContent(api: Api, world: World): void {
  api.get(`${ONE}/files`, async (call) => {
    const repository = repositoryOf(world, call);
    const { baseBranch, head } = pullOf(repository, call);
    const base = readBranch(repository.gitDir, baseBranch) ?? head;
    const files = await changedFiles(repository.gitDir, base, head);
    const url = `${repositoryUrl(world, repository)}/contents`;
    const shown = files.map(({ path, status, additions, deletions }) => {
      const changes = additions + deletions;
      const at = `${url}/${path}?ref=${head}`;
      const numbers = { additions, deletions, changes };
      return { sha: head, filename: path, status, ...numbers, blob_url: at, raw_url: at, contents_url: at };
    });
    return sendPage(call, shown);
  });
  api.delete("/repos/:owner/:repo/git/refs/heads/:branch{.+}", async (call) => {
    const repository = repositoryOf(world, call);
    const branch = call.req.param("branch");
    if (readBranch(repository.gitDir, branch) === null) throw new HttpProblem(422, "Reference does not exist");
    await git(repository.gitDir, ["update-ref", "-d", `refs/heads/${branch}`]);
    return call.body(null, 204);
  });
}
