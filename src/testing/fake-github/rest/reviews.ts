import type { Pull, Repository, ReviewState, Thread } from "../model.ts";
import { presentAccount } from "../present/account.ts";
import { presentPull } from "../present/pull.ts";
import { presentReview, presentThreadComment } from "../present/review.ts";
import { addReview, addThreadComment, type NewThread, reviewEvent } from "../reviews.ts";
import type { World } from "../world.ts";
import { type Api, bodyOf, HttpProblem, namesOf, notFound, pullOf, repositoryOf, sendPage, textOf } from "./context.ts";

const ONE = "/repos/:owner/:repo/pulls/:number{[0-9]+}";
const STATES: Readonly<Record<string, ReviewState>> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

/** Reviews, their threads and requested reviewers. */
export function routeReviews(api: Api, world: World): void {
  api.get(`${ONE}/reviews`, (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    return sendPage(
      call,
      pull.reviews.map((review) => presentReview(world, repository, { pull, review })),
    );
  });
  api.post(`${ONE}/reviews`, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    const body = await bodyOf(call);
    const state = STATES[textOf(body["event"]) ?? ""] ?? "PENDING";
    const author = call.get("account");
    if (author === pull.author && state !== "COMMENTED") {
      throw new HttpProblem(422, "Unprocessable Entity", { errors: ["Can not approve your own pull request"] });
    }
    const comments = (Array.isArray(body["comments"]) ? body["comments"] : []) as NewThread[];
    const review = addReview(world, pull, { author, state, body: textOf(body["body"]) ?? "", comments });
    await reviewEvent(world, repository, { pull, review });
    return call.json(presentReview(world, repository, { pull, review }));
  });
  api.put(`${ONE}/reviews/:id/dismissals`, (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    const review = pull.reviews.find(({ id }) => id === Number(call.req.param("id")));
    if (review === undefined) throw notFound();
    review.state = "DISMISSED";
    return call.json(presentReview(world, repository, { pull, review }));
  });
  routeThreads(api, world);
  api.post(`${ONE}/requested_reviewers`, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    const logins = namesOf((await bodyOf(call))["reviewers"]) ?? [];
    pull.reviewers = [...new Set([...pull.reviewers, ...logins.map((login) => world.account(login))])];
    return call.json(await presentPull(world, repository, pull), 201);
  });
  api.get(`${ONE}/requested_reviewers`, (call) => {
    const { reviewers } = pullOf(repositoryOf(world, call), call);
    return call.json({ users: reviewers.map((one) => presentAccount(world, one)), teams: [] });
  });
}

function routeThreads(api: Api, world: World): void {
  const show = (repository: Repository, pull: Pull, thread: Thread): readonly unknown[] =>
    thread.comments.map((comment) => presentThreadComment(world, repository, { pull, thread, comment }));
  api.get(`${ONE}/comments`, (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    return sendPage(
      call,
      pull.threads.flatMap((thread) => show(repository, pull, thread)),
    );
  });
  api.post(`${ONE}/comments/:id{[0-9]+}/replies`, async (call) => {
    const repository = repositoryOf(world, call);
    const pull = pullOf(repository, call);
    const id = Number(call.req.param("id"));
    const thread = pull.threads.find(({ comments }) => comments[0]?.id === id);
    if (thread === undefined) throw notFound();
    const body = textOf((await bodyOf(call))["body"]) ?? "";
    const comment = addThreadComment(world, thread, { author: call.get("account"), body });
    return call.json(presentThreadComment(world, repository, { pull, thread, comment }), 201);
  });
}
