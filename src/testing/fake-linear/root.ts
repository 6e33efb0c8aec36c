import { matches } from "./matches.ts";
import type { Issue, User, World } from "./model.ts";
import { createMutations } from "./mutations.ts";
import {
  commentNode,
  connection,
  issueNode,
  labelNode,
  notFound,
  type PageArguments,
  requireIssue,
  teamNode,
  userNode,
} from "./nodes.ts";

interface ListArguments extends PageArguments {
  readonly filter?: Readonly<Record<string, unknown>> | null;
  readonly includeArchived?: boolean | null;
}

/** The root of queries and mutations. */
export function createRoot(world: World, viewer: User): unknown {
  return {
    viewer: () => userNode(viewer, viewer),
    issue: ({ id }: { readonly id: string }) => issueNode(world, viewer, requireIssue(world, id)),
    issues: ({ filter, includeArchived, ...page }: ListArguments) =>
      connection(
        // Newest first, as in Linear.
        [...world.issues]
          .reverse()
          .filter(
            (issue) => (includeArchived === true || !issue.isArchived) && matches(filterable(issue, viewer), filter),
          )
          .map((issue) => issueNode(world, viewer, issue)),
        page,
      ),
    teams: ({ filter, ...page }: ListArguments) =>
      connection(world.teams.filter((team) => matches(team, filter)).map(teamNode), page),
    users: ({ filter, ...page }: ListArguments) =>
      connection(
        world.users.map((user) => userNode(user, viewer)).filter((user) => matches(user, filter)),
        page,
      ),
    issueLabels: ({ filter, ...page }: ListArguments) =>
      connection(
        world.labels.map(labelNode).filter((label) => matches(label, filter)),
        page,
      ),
    comment: ({ id }: { readonly id: string }) => {
      const found = world.issues.flatMap(({ comments }) => comments).find((comment) => comment.id === id);
      if (found === undefined) throw notFound("Comment");
      return commentNode(world, viewer, found);
    },
    ...createMutations(world, viewer),
  };
}

/** The fields that issues can be filtered by. */
function filterable({ id, number, title, team, state, labels, assignee }: Issue, viewer: User): unknown {
  const who = assignee === null ? null : { ...assignee, isMe: assignee === viewer };
  return { id, number, title, team, state, labels, assignee: who };
}
