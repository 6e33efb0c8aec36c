/** Everything sent to Linear; a test validates each query against Linear's published schema. */

const ISSUE = `fragment IssueFields on Issue {
  id identifier number title description url priority
  state { id name type position } team { id key } assignee { displayName }
  creator { displayName } externalUserCreator { name } botActor { name }
  labels(first: 30) { nodes { name } pageInfo { hasNextPage endCursor } }
  inverseRelations(first: 20) { nodes { id type issue { identifier } } pageInfo { hasNextPage endCursor } }
}`;

export const MORE_LABELS = `query ReadLabels($id: String!, $after: String) {
  issue(id: $id) { list: labels(first: 100, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } }
}`;

export const MORE_RELATIONS = `query ReadRelations($id: String!, $after: String) {
  issue(id: $id) {
    list: inverseRelations(first: 100, after: $after) {
      nodes { id type issue { identifier } } pageInfo { hasNextPage endCursor }
    }
  }
}`;

// Linear limits the complexity of a query: 50 issues with their labels and relations stay below half of it.
export const LIST = `query ListIssues($filter: IssueFilter, $after: String, $includeArchived: Boolean) {
  issues(filter: $filter, first: 50, after: $after, includeArchived: $includeArchived) {
    nodes { ...IssueFields } pageInfo { hasNextPage endCursor }
  }
}
${ISSUE}`;

export const TEAMS = `query FindTeams($filter: TeamFilter) {
  teams(filter: $filter, first: 50) { nodes { id key name states(first: 50) { nodes { id name type position } } } }
}`;

export const VIEWER = `query ReadViewer {
  viewer { displayName }
}`;

export const LABELS = `query FindLabels($filter: IssueLabelFilter) {
  issueLabels(filter: $filter, first: 250) { nodes { id name isGroup team { id } } }
}`;

export const USERS = `query FindUsers($filter: UserFilter) {
  users(filter: $filter, first: 2) { nodes { id } }
}`;

export const COMMENT = `query ReadComment($id: String!) {
  comment(id: $id) { id body }
}`;

export const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) {
  issueCreate(input: $input) { issue { identifier } }
}`;

export const UPDATE_ISSUE = `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;

export const CREATE_LABEL = `mutation CreateLabel($input: IssueLabelCreateInput!) {
  issueLabelCreate(input: $input) { issueLabel { id } }
}`;

export const CREATE_RELATION = `mutation CreateRelation($input: IssueRelationCreateInput!) {
  issueRelationCreate(input: $input) { success }
}`;

export const DELETE_RELATION = `mutation DeleteRelation($id: String!) {
  issueRelationDelete(id: $id) { success }
}`;

export const CREATE_COMMENT = `mutation CreateComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}`;

export const UPDATE_COMMENT = `mutation UpdateComment($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}`;
