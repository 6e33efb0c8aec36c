import { GraphQLError } from "graphql";
import { type Comment, type Issue, identifierOf, type Label, type Team, type User, type World } from "./model.ts";

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
}

const DEFAULT_PAGE = 50;
const MAX_PAGE = 250;
const PRIORITIES = ["No priority", "Urgent", "High", "Medium", "Low"];

/** A page of a list; cursors are positions. */
export function connection<T>(items: readonly T[], { first, after }: PageArguments): unknown {
  const size = first ?? DEFAULT_PAGE;
  if (size > MAX_PAGE) throw invalidInput(`first must not be greater than ${MAX_PAGE}`);
  const from = after == null ? 0 : Number(after) + 1;
  const nodes = items.slice(from, from + size);
  return {
    nodes,
    pageInfo: {
      hasNextPage: from + size < items.length,
      hasPreviousPage: from > 0,
      startCursor: nodes.length === 0 ? null : String(from),
      endCursor: nodes.length === 0 ? null : String(from + nodes.length - 1),
    },
  };
}

/** Linear's error for a rejected value. */
export function invalidInput(message: string, presentable = message): GraphQLError {
  const extensions = { type: "invalid input", code: "INPUT_ERROR", userPresentableMessage: presentable };
  return new GraphQLError(message, { extensions: { ...extensions, userError: true, statusCode: 400 } });
}

export function notFound(kind: string): GraphQLError {
  return invalidInput(`Entity not found: ${kind}`, `Could not find referenced ${kind}.`);
}

/** By its id or identifier. */
export function requireIssue(world: World, id: string): Issue {
  const found = world.issues.find((issue) => issue.id === id || identifierOf(issue) === id.toUpperCase());
  if (found === undefined) throw notFound("Issue");
  return found;
}

export function userNode(user: User, viewer: User) {
  return { ...user, active: true, isMe: user === viewer };
}

export function teamNode({ id, key, name, states }: Team) {
  return { id, key, name, states: (page: PageArguments) => connection(states, page) };
}

export function labelNode({ id, name, team }: Label) {
  return { id, name, isGroup: false, team: team === null ? null : teamNode(team) };
}

export function commentNode(world: World, viewer: User, { id, body, user, issue }: Comment) {
  return { id, body, user: userNode(user, viewer), issue: () => issueNode(world, viewer, issue) };
}

export function issueNode(world: World, viewer: User, issue: Issue) {
  const { id, number, team, title, description, state, labels, priority, assignee } = issue;
  const show = (one: Issue): unknown => issueNode(world, viewer, one);
  const related = (relations: World["relations"]): unknown[] =>
    relations.map((one) => ({
      id: one.id,
      type: one.type,
      issue: () => show(one.issue),
      relatedIssue: () => show(one.relatedIssue),
    }));
  return {
    id,
    number,
    title,
    description,
    state,
    priority,
    identifier: identifierOf(issue),
    priorityLabel: PRIORITIES[priority],
    team: teamNode(team),
    assignee: assignee === null ? null : userNode(assignee, viewer),
    creator: userNode(viewer, viewer),
    externalUserCreator: null,
    botActor: null,
    url: `https://linear.app/example/issue/${identifierOf(issue)}/${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
    labels: (page: PageArguments) => connection(labels.map(labelNode), page),
    relations: (page: PageArguments) => connection(related(world.relations.filter((one) => one.issue === issue)), page),
    inverseRelations: (page: PageArguments) =>
      connection(related(world.relations.filter((one) => one.relatedIssue === issue)), page),
    ...issue.malformed,
  };
}
