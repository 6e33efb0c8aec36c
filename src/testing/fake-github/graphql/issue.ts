import type { Account, Comment, Issue, Label, Repository } from "../model.ts";
import { associationOf, at, atOrNull } from "../present/account.ts";
import { repositoryPage } from "../present/repository.ts";
import { isPull, type World } from "../world.ts";
import { connection, type PageArguments } from "./connection.ts";

export function actorNode(world: World, account: Account) {
  return {
    __typename: account.type,
    id: `U_${account.id}`,
    databaseId: account.id,
    login: account.login,
    url: `${world.url}/${account.login}`,
    resourcePath: `/${account.login}`,
    avatarUrl: `${world.url}/avatars/${account.id}`,
  };
}

function labelNode(label: Label) {
  const { id, name, color, description } = label;
  return { __typename: "Label", id: `LA_${id}`, name, color, description };
}

function commentNode(world: World, page: string, comment: Comment) {
  return {
    __typename: "IssueComment",
    id: `IC_${comment.id}`,
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    author: actorNode(world, comment.author),
    authorAssociation: associationOf(comment.author),
    body: comment.body,
    createdAt: at(comment.createdAt),
    updatedAt: at(comment.updatedAt),
    url: `${page}#issuecomment-${comment.id}`,
  };
}

/** What issues and pull requests have in common. */
export function commonNode(world: World, repository: Repository, issue: Issue) {
  const page = `${repositoryPage(world, repository)}/${isPull(issue) ? "pull" : "issues"}/${issue.number}`;
  return {
    databaseId: issue.id,
    fullDatabaseId: String(issue.id),
    number: issue.number,
    title: issue.title,
    body: issue.body ?? "",
    author: actorNode(world, issue.author),
    authorAssociation: associationOf(issue.author),
    closed: issue.state === "closed",
    createdAt: at(issue.createdAt),
    updatedAt: at(issue.updatedAt),
    closedAt: atOrNull(issue.closedAt),
    url: page,
    labels: (page: PageArguments) => connection(issue.labels.map(labelNode), page),
    assignees: (page: PageArguments) =>
      connection(
        issue.assignees.map((one) => actorNode(world, one)),
        page,
      ),
    comments: (args: PageArguments) =>
      connection(
        issue.comments.map((comment) => commentNode(world, page, comment)),
        args,
      ),
  };
}

export function issueNode(world: World, repository: Repository, issue: Issue) {
  const malformed = (issue.malformed ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...commonNode(world, repository, issue),
    __typename: "Issue",
    id: `I_${repository.id}_${issue.number}`,
    state: issue.state === "open" ? "OPEN" : "CLOSED",
    stateReason: issue.stateReason?.toUpperCase() ?? null,
    // What a schema can represent of a malformed record: lists that are null.
    ...(malformed["labels"] === null ? { labels: null } : {}),
  };
}
