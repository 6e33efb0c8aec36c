/** The messages that agents get unless the configuration has its own. Variables are in docs/user/reactions.md. */
export const DEFAULT_MESSAGES: Readonly<Record<string, string>> = {
  "ci-failed": [
    "The check `{{check}}` of your pull request {{pr}} {{result}} on commit {{head}}.{{again}}",
    "Fix the cause on branch {{branch}} and commit. To see it yourself, run: {{command}}",
    "",
    "{{errors}}",
  ].join("\n"),
  "changes-requested": [
    "{{reviewer}} requested changes on your pull request {{pr}} ({{title}}).{{again}}",
    "Address every point on branch {{branch}} and commit.",
    "",
    "{{comments}}",
  ].join("\n"),
  "review-commented": [
    "{{reviewer}} commented on your pull request {{pr}} ({{title}}).{{again}}",
    "Make the changes you agree with on branch {{branch}} and commit them; reply to the rest.",
    "",
    "{{comments}}",
  ].join("\n"),
  "merge-conflict": [
    "Your pull request {{pr}} conflicts with {{base}}.{{again}}",
    "Merge {{base}} into {{branch}} (git merge {{base}}), resolve the conflicts so that both changes keep working, and commit.",
    "",
    "{{files}}",
  ].join("\n"),
  uncommitted: [
    "Your turn ended with {{count}} on branch {{branch}}.{{again}}",
    "{{files}}",
    "",
    "Commit what belongs to the task, with a message that says why. Remove what does not belong there, or add it to .gitignore.",
    "If you left it on purpose, end your turn with the reason or with your question.",
  ].join("\n"),
  "agent-idle":
    "You have been idle for {{minutes}} minutes and there is no pull request yet. Continue with the task, commit your work, or say what you need.{{again}}",
  "agent-stuck":
    "You have given no sign of progress for {{minutes}} minutes. Report where you are, or try another approach.{{again}}",
};

/** The sentence about an earlier message that did not help; empty for the first. */
export function describeAgain(attempt: number, isSameHead: boolean): string {
  if (attempt <= 1) return "";
  return isSameHead
    ? ` (Attempt ${attempt}: the last message led to no new commit.)`
    : ` (Attempt ${attempt}: still there after your last commit.)`;
}
