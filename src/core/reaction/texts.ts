/** What an agent is told when the configuration has no message of its own. Variables are in docs/user/reactions.md. */
export const DEFAULT_MESSAGES: Readonly<Record<string, string>> = {
  "ci-failed": [
    "The check `{{check}}` of your pull request {{pr}} {{result}} on commit {{head}}.{{again}}",
    "Fix the cause on branch {{branch}} and commit. To see it yourself, run: {{command}}",
    "",
    "{{errors}}",
  ].join("\n"),
  "changes-requested": [
    "{{reviewer}} asked for changes on your pull request {{pr}} ({{title}}).{{again}}",
    "Address every point on branch {{branch}} and commit.",
    "",
    "{{comments}}",
  ].join("\n"),
  "review-commented": [
    "{{reviewer}} commented on your pull request {{pr}} ({{title}}).{{again}}",
    "Change what should be changed on branch {{branch}} and commit.",
    "",
    "{{comments}}",
  ].join("\n"),
  "merge-conflict": [
    "Your pull request {{pr}} conflicts with {{base}}.{{again}}",
    "Merge {{base}} into {{branch}} (git merge {{base}}), resolve the conflicts so that both changes keep working, and commit.",
    "",
    "{{files}}",
  ].join("\n"),
  "agent-idle":
    "You have been idle for {{minutes}} minutes and there is no pull request yet. Go on with the task, commit your work, or say what you need.{{again}}",
  "agent-stuck": "Nothing was heard of you for {{minutes}} minutes. Say where you are, or go on another way.{{again}}",
};

/** The sentence about an earlier message that did not help; empty for the first. */
export function describeAgain(attempt: number, isSameHead: boolean): string {
  if (attempt <= 1) return "";
  return isSameHead
    ? ` (You were told before, and no new commit came of it; this is attempt ${attempt}.)`
    : ` (Still so after your last commit; this is attempt ${attempt}.)`;
}
