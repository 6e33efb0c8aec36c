import type { SampleLook } from "../demo/look-at-sample.ts";
import type { Sample } from "../demo/make-sample.ts";
import { REVIEWER } from "../demo/story.ts";
import type { Summary } from "../demo/summary.ts";
import type { Style } from "./style.ts";
import { renderTable } from "./table.ts";

/** What is about to happen, and what of it is played. */
export function introduce(sample: Sample, link: string | null): readonly string[] {
  return [
    "ao demo: small tasks on a sample repository, several agents at the same time.",
    "The agents are rehearsed: each plays a script, commits, makes mistakes and fixes them. git, checks and merges are real.",
    `The demo plays the reviewer ("${REVIEWER}") and the person who answers questions.`,
    `Everything is in ${sample.dir}`,
    ...(link === null ? [] : [`The page: ${link} (this link works once)`]),
    "",
  ];
}

/** What happened: the table, the sentence with `N merged`, and what is stuck. */
export function conclude(
  summary: Summary,
  options: { readonly columns: number | undefined; readonly paint: Style },
): readonly string[] {
  const { columns, paint } = options;
  const table = renderTable(summary.rows, { columns, paint: (text, row) => (row === 0 ? paint.bold(text) : text) });
  const tone = summary.stuck.length === 0 ? paint.green : paint.yellow;
  return ["", ...table, "", tone(summary.sentence), ...summary.stuck.map((line) => paint.yellow(`stuck: ${line}`))];
}

/** What the sample looks like now, and where to look further. */
export function showSample(sample: Sample, look: SampleLook): readonly string[] {
  const tests = look.tests === null ? "The tests of main fail." : `main has ${look.tests} passing tests.`;
  return [
    "",
    look.picture,
    "",
    `${tests} Look around:`,
    `  cd ${sample.repo} && git log --oneline --graph`,
    `  AO_HOME=${sample.home} ao events`,
  ];
}

/** What to do next with a repository of one's own. */
export function whatNext(options: { readonly fromClone: boolean }): readonly string[] {
  return [
    "",
    "On a repository of yours (nothing is spawned, sent or merged there until you ask):",
    ...(options.fromClone ? ["  npm install -g .   # puts ao on your PATH"] : []),
    "  ao start ~/code/my-app",
    "  ao config set projects.my-app.agentConfig '{ command: [my-agent] }'   # any program is an agent",
    '  ao new "Fix the login form" --project my-app',
  ];
}
