import { describe, expect, it } from "vitest";
import { ALIASES } from "../src/cli/aliases.ts";
import { parseArguments } from "../src/cli/args/parse-arguments.ts";
import type { CommandSpec } from "../src/cli/command.ts";
import { loadAll } from "../src/cli/command-table.ts";
import { type DocsLine, findCalls, listPages, readLines } from "./support/docs-commands.ts";

const pages = ["README.md", "docs/security.md", ...listPages("docs/user"), ...listPages("docs/plugins")];
const commands = await loadAll();

/** What is wrong with a call, according to the table of commands; null: nothing. */
async function findMistake(args: readonly string[], kind: DocsLine["kind"]): Promise<string | null> {
  const [first, ...rest] = args;
  // Alone it opens the board, or prints the help.
  if (first === undefined) return null;
  const top = commands.find(({ name }) => name === (ALIASES[first] ?? first));
  if (top === undefined) return `unknown command "${first}"`;
  const { spec, own } = descend(top, rest);
  // A sentence may name a command without its arguments.
  if (own.length === 0 && kind === "inline") return null;
  if (spec.run === undefined) return `"ao ${spec.name}" needs a command`;
  try {
    await parseArguments(spec, own);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function descend(spec: CommandSpec, args: readonly string[]): { spec: CommandSpec; own: readonly string[] } {
  const found = spec.subcommands?.find((sub) => sub.name === `${spec.name} ${args[0]}`);
  return found === undefined ? { spec, own: args } : descend(found, args.slice(1));
}

async function findMistakes(lines: readonly DocsLine[]): Promise<readonly string[]> {
  const found = await Promise.all(
    lines.flatMap(({ at, text, kind }) =>
      findCalls(text).map(async (args) => {
        const mistake = await findMistake(args, kind);
        return mistake === null ? [] : [`${at}: ${text}: ${mistake}`];
      }),
    ),
  );
  return found.flat();
}

function allSpecs(specs: readonly CommandSpec[]): readonly CommandSpec[] {
  return specs.flatMap((spec) => [spec, ...allSpecs(spec.subcommands ?? [])]);
}

describe("the commands of the documentation", () => {
  it.each(pages)("%s: every ao command exists and has the options shown", async (page) => {
    expect(await findMistakes(readLines(page))).toEqual([]);
  });

  it("in help examples exist too", async () => {
    const lines = allSpecs(commands).flatMap(({ name, examples }) =>
      examples.map((text): DocsLine => ({ at: `ao ${name} --help`, text, kind: "block" })),
    );
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines) expect(findCalls(line.text), line.text).not.toEqual([]);
    expect(await findMistakes(lines)).toEqual([]);
  });

  it("are really checked: a mistake is found", async () => {
    const text = "```sh\nao lst  # all\nao list --jsn | cat\n```\nUse `ao merge --now PR` or `ao reply`.\n";
    expect(await findMistakes(readLines("page.md", text))).toEqual([
      'page.md:2: ao lst: unknown command "lst"',
      'page.md:3: ao list --jsn | cat: unknown option --jsn for "ao list"',
      'page.md:5: ao merge --now PR: unknown option --now for "ao merge"',
    ]);
  });
});

describe("a command line", () => {
  it.each([
    ['ao new "Fix the login" -m it\\ fails', [["new", "Fix the login", "-m", "it fails"]]],
    ["AO_EDITOR=code ao edit 42", [["edit", "42"]]],
    [
      "ao wait a --for pr && ao review a | cat > file",
      [
        ["wait", "a", "--for", "pr"],
        ["review", "a"],
      ],
    ],
    ['cd "$(ao path a)"', [["path", "a"]]],
    [`ao api POST /x -d '{"a":"b c"}'`, [["api", "POST", "/x", "-d", '{"a":"b c"}']]],
    ["git log", []],
  ])("%s", (line, calls) => {
    expect(findCalls(line)).toEqual(calls);
  });
});
