import { addIssue, ensureLabel, type Issue, type Label, type User, type World } from "./model.ts";
import { commentNode, invalidInput, issueNode, labelNode, notFound, requireIssue } from "./nodes.ts";

interface IssueInput {
  readonly teamId?: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly stateId?: string | null;
  readonly labelIds?: readonly string[] | null;
  readonly priority?: number | null;
  readonly assigneeId?: string | null;
}

interface CommentInput {
  readonly id?: string | null;
  readonly issueId: string;
  readonly body: string;
}

interface RelationInput {
  readonly issueId: string;
  readonly relatedIssueId: string;
  readonly type: string;
}

interface ById<Input> {
  readonly id: string;
  readonly input: Input;
}

const DONE = { success: true, lastSyncId: 1 };
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The mutations that `ao` sends. */
export function createMutations(world: World, viewer: User): Readonly<Record<string, unknown>> {
  const showIssue = (issue: Issue): unknown => ({ ...DONE, issue: issueNode(world, viewer, issue) });
  return {
    issueCreate: ({ input }: { readonly input: IssueInput }) => {
      const team = world.teams.find(({ id }) => id === input.teamId);
      if (team === undefined) throw notFound("Team");
      if ((input.title ?? "").trim() === "") throw invalidInput("Argument Validation Error", "title must not be blank");
      const issue = addIssue(world, team, input.title ?? "");
      change(world, issue, input);
      return showIssue(issue);
    },
    issueUpdate: ({ id, input }: ById<IssueInput>) => {
      const issue = requireIssue(world, id);
      change(world, issue, input);
      return showIssue(issue);
    },
    issueLabelCreate: ({ input }: { readonly input: { readonly name: string; readonly teamId?: string | null } }) => {
      const team = world.teams.find(({ id }) => id === input.teamId);
      if (team === undefined) throw notFound("Team");
      const isTaken = world.labels.some((label) => label.name.toLowerCase() === input.name.toLowerCase());
      if (isTaken) throw invalidInput("duplicate label name", `A label named ${input.name} exists already.`);
      return { ...DONE, issueLabel: labelNode(ensureLabel(world, team, input.name)) };
    },
    ...relationMutations(world),
    ...commentMutations(world, viewer),
  };
}

function relationMutations(world: World): Readonly<Record<string, unknown>> {
  return {
    issueRelationCreate: ({ input }: { readonly input: RelationInput }) => {
      const [issue, relatedIssue] = [requireIssue(world, input.issueId), requireIssue(world, input.relatedIssueId)];
      const relation = { id: world.nextId(), type: input.type, issue, relatedIssue };
      world.relations.push(relation);
      return { ...DONE, issueRelation: { id: relation.id, type: relation.type } };
    },
    issueRelationDelete: ({ id }: { readonly id: string }) => {
      const index = world.relations.findIndex((relation) => relation.id === id);
      if (index === -1) throw notFound("IssueRelation");
      world.relations.splice(index, 1);
      return { ...DONE, entityId: id };
    },
  };
}

function commentMutations(world: World, viewer: User): Readonly<Record<string, unknown>> {
  const all = () => world.issues.flatMap(({ comments }) => comments);
  return {
    commentCreate: ({ input }: { readonly input: CommentInput }) => {
      const id = input.id ?? world.nextId();
      if (!UUID_4.test(id)) throw invalidInput("Argument Validation Error", "id must be a UUID");
      if (all().some((one) => one.id === id)) throw invalidInput("Argument Validation Error", "id is taken");
      const issue = requireIssue(world, input.issueId);
      const comment = { id, body: input.body, user: viewer, issue };
      issue.comments.push(comment);
      return { ...DONE, comment: commentNode(world, viewer, comment) };
    },
    commentUpdate: ({ id, input }: ById<{ readonly body: string }>) => {
      const comment = all().find((one) => one.id === id);
      if (comment === undefined) throw notFound("Comment");
      if (comment.user !== viewer) throw invalidInput("You can only edit your own comments");
      comment.body = input.body;
      return { ...DONE, comment: commentNode(world, viewer, comment) };
    },
  };
}

function change(world: World, issue: Issue, input: IssueInput): void {
  if (input.title != null) issue.title = input.title;
  if (input.description !== undefined) issue.description = input.description;
  if (input.priority != null) issue.priority = input.priority;
  if (input.labelIds != null) issue.labels = input.labelIds.map((id) => requireLabel(world, issue, id));
  if (input.stateId != null) {
    const state = issue.team.states.find(({ id }) => id === input.stateId);
    if (state === undefined) throw notFound("WorkflowState");
    issue.state = state;
  }
  if (input.assigneeId === undefined) return;
  const user = world.users.find(({ id }) => id === input.assigneeId) ?? null;
  if (input.assigneeId !== null && user === null) throw notFound("User");
  issue.assignee = user;
}

function requireLabel(world: World, issue: Issue, id: string): Label {
  const label = world.labels.find((one) => one.id === id);
  if (label === undefined) throw notFound("IssueLabel");
  if (label.team !== null && label.team !== issue.team) {
    throw invalidInput("The label 'x' is not associated with the same team as the issue.");
  }
  return label;
}
