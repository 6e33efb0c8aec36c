import type { DemoForge } from "../../../demo/forge.ts";
import type { SampleLook } from "../../../demo/look-at-sample.ts";
import type { Sample } from "../../../demo/make-sample.ts";
import { REVIEWER } from "../../../demo/story.ts";
import type { Summary } from "../../../demo/summary.ts";
import type { Style } from "../../views/style.ts";
import { renderTable } from "../../views/table.ts";

/** What is about to happen, and which parts are simulated. */
export function introduce(
  sample: Sample,
  { link, forge }: { readonly link: string | null; readonly forge: DemoForge | null },
): readonly string[] {
  return [
    "ao demo: small tasks on a sample repository, several agents at the same time.",
    "The agents are scripted: each commits, makes mistakes and fixes them.",
    ...(forge === null
      ? ["git, checks and merges are real."]
      : [
          `Issues, pull requests, checks and reviews are on a stand-in for GitHub at`,
          `  ${forge.url}/${forge.repository}`,
          "where ao pushes and merges over real git, and which reports by webhook.",
        ]),
    `The demo plays the reviewer ("${REVIEWER}") and the person who answers.`,
    `Everything is in ${sample.dir}`,
    ...(link === null ? [] : describeLink(link)),
    "",
  ];
}

/** How to open the dashboard, with the link on its own line so that it stays whole. */
export function describeLink(link: string): readonly string[] {
  return ["Dashboard (one-time link, valid 5 minutes):", `  ${link}`];
}

/** What happened: the table, the sentence with `N merged`, and what is stuck. */
export function conclude(
  summary: Summary,
  options: { readonly columns: number | undefined; readonly paint: Style },
): readonly string[] {
  const { columns, paint } = options;
  const table = renderTable(summary.rows, { columns, paint: (text, row) => (row === 0 ? paint.bold(text) : text) });
  const tone = summary.stuck.length === 0 ? paint.green : paint.yellow;
  const sentence = wrap(summary.sentence, columns).map(tone);
  const stuck = summary.stuck.flatMap((line) => wrap(`stuck: ${line}`, columns)).map(paint.yellow);
  return ["", ...table, "", ...sentence, ...stuck];
}

/** What is on the forge now. */
export function describeForgeEnd({ repository }: DemoForge, merged: number): readonly string[] {
  return [
    "",
    `On GitHub (${repository}): ${merged} issues worked on, branches pushed, pull requests`,
    "opened, checked, reviewed and merged; branches deleted, issues closed.",
  ];
}

/** Text wrapped between words; unchanged without a width. */
export function wrap(text: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** What the sample's tests say below its picture, and where to look further; `ao` is how to call this program. */
export function showSample(sample: Sample, look: SampleLook, ao: string | null): readonly string[] {
  const tests = look.tests === null ? "The tests of main fail." : `main has ${look.tests} passing tests.`;
  return [
    "",
    `${tests} Look around:`,
    `  cd ${sample.repo} && git log --oneline --graph`,
    ...(ao === null ? [] : [`  AO_HOME=${sample.home} ${ao} events`]),
  ];
}

/** What to do next with your own repository. */
export function whatNext(options: { readonly isInstalled: boolean }): readonly string[] {
  return [
    "",
    "On your own repository (nothing runs there until you ask):",
    ...(options.isInstalled ? [] : ["  npm install -g .                # puts ao on your PATH"]),
    "  cd ~/code/my-app && ao start    # finds your agent, writes its configuration",
    '  ao new "Fix the login form"',
  ];
}
