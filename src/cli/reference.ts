import { aliasesOf } from "./aliases.ts";
import type { CommandSpec } from "./command.ts";
import { loadGroups } from "./command-table.ts";
import { optionRows, usageLines } from "./help.ts";

const HEAD = `# The command line

This page is made from the commands themselves (\`src/cli/commands\`); \`ao COMMAND --help\` says the same.

- Exit codes: 0 done, 1 failed, 2 misused. Errors are \`error: what\` and \`hint: what to do\`, on stderr; with \`--json\` they are one
  object as the API gives it, with \`code\`, \`detail\`, \`hint\` and \`status\`.
- \`--json\` prints data for scripts: a list is \`{"data":[...]}\`, one thing is one object, a stream is one object for each line.
- A session is named by its id, any unique prefix of it, \`<project>-<slug>\`, or its issue number.
  \`.\` is the session of the worktree you are in; most commands take it when you name none, and \`ao send "TEXT"\` too.
  \`@2\` is row 2 of the list that \`ao list\` last printed in this terminal, whatever has happened since. A bare \`2\` is
  that row as well if the project has no issue 2 (and no pull request 2, where a command takes one); if it has, \`ao\` asks
  you to write \`#2\` or \`@2\`.
- A diff or review longer than the terminal opens in \`AO_PAGER\`, \`PAGER\` or \`less -FRX\`; not with \`--no-pager\`, \`NO_PAGER\` or a pipe.
- Colors appear only on a terminal, and not with \`NO_COLOR\` or \`TERM=dumb\`.
- Every command talks to the daemon of \`AO_HOME\` (\`~/.agent-orchestrator\`) and starts it when none runs.
`;

/** The text of docs/user/cli.md. */
export async function renderCliReference(): Promise<string> {
  const groups = await loadGroups();
  const sections = groups.flatMap(({ title, commands }) => [
    `## ${title}\n`,
    ...commands.map((command) => renderCommand(command, 3)),
  ]);
  return [HEAD, ...sections].join("\n");
}

function renderCommand(command: CommandSpec, level: number): string {
  const parts = [
    `${"#".repeat(level)} ao ${command.name}\n`,
    `${sentence(command.summary)}\n`,
    `\`\`\`\n${usageLines(command).join("\n")}\n\`\`\`\n`,
  ];
  const rows = [
    ...command.arguments.map((argument) => [argument.name, argument.summary] as const),
    ...optionRows(command),
  ];
  if (rows.length > 0) parts.push(rows.map(([left, right]) => `- \`${left}\`: ${right}\n`).join(""));
  if (command.details !== undefined) parts.push(`${command.details}\n`);
  const aliases = aliasesOf(command.name);
  if (aliases.length > 0) parts.push(`Also: ${aliases.map((alias) => `\`ao ${alias}\``).join(", ")}.\n`);
  parts.push(`\`\`\`sh\n${command.examples.join("\n")}\n\`\`\`\n`);
  parts.push(...(command.subcommands ?? []).map((sub) => renderCommand(sub, level + 1)));
  return parts.join("\n");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
