import { AoError } from "../../../core/errors.ts";
import { writeOutHidden } from "../../../core/hidden-characters.ts";
import type { ConfigView } from "../../../protocol/views/config.ts";
import { consents } from "../../args/ask.ts";
import { type Client, connect } from "../../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../../command.ts";
import { note, print, printJson } from "../../views/print.ts";

type Held = ConfigView & { readonly held: NonNullable<ConfigView["held"]> };

export const command = defineCommand({
  name: "config accept",
  summary: "let a configuration take effect that a merge, pull, checkout or clone brought",
  usage: ["[-p PROJECT] [--yes] [--json]"],
  arguments: [],
  options: {
    project: PROJECT_OPTION,
    yes: { type: "boolean", short: "y", summary: "do not ask" },
    json: JSON_OPTION,
  },
  examples: ["ao config accept", "ao config accept -p my-app --yes"],
  details:
    "An edit of yours takes effect at once. A file that came with a commit does not, because an agent may have written\n" +
    "it: until you accept it, ao uses the version before. This shows the difference and asks.",
  async run({ options }) {
    const client = connect();
    const waiting = await findHeld(client, options.project);
    const accepted: string[] = [];
    for (const [project, view] of waiting) {
      if (options.json !== true) print(describeHeld(view));
      refuseInvalid(view);
      if (options.yes !== true && !(await consents(`Use ${view.file} as it is now?`))) {
        throw new AoError({
          code: "conflict",
          message: `${view.file} was not accepted; ao keeps what was in force.`,
          hint: "`ao config accept --yes` accepts it without a question.",
        });
      }
      const input = { project, version: view.held.version };
      await client.call("POST /api/config/accept", { input });
      accepted.push(view.file);
      if (options.json !== true) print(`accepted ${view.file}`);
    }
    if (options.json === true) printJson({ accepted });
    else if (waiting.length === 0) print("No configuration waits to be accepted.");
  },
});

/** Asks about files that came with the repository, when somebody has just added it at a terminal. */
export async function offerToAccept(client: Client, projects: readonly string[]): Promise<void> {
  for (const project of projects) {
    for (const [id, view] of await findHeld(client, project)) {
      print(describeHeld(view));
      if (view.held.problems.length > 0 || !(await consents(`Use ${view.file}?`))) {
        note(`note: ao does not use ${view.file} yet; \`ao config accept -p ${id}\` accepts it`);
        continue;
      }
      await client.call("POST /api/config/accept", { input: { project: id, version: view.held.version } });
      print(`accepted ${view.file}`);
    }
  }
}

/** Accepts what waits for a project, without a question: the caller wrote the file itself. */
export async function acceptHeld(client: Client, project: string): Promise<void> {
  for (const [, view] of await findHeld(client, project)) {
    await client.call("POST /api/config/accept", { input: { project, version: view.held.version } });
  }
}

async function findHeld(client: Client, project: string | undefined): Promise<readonly (readonly [string, Held])[]> {
  const ids =
    project === undefined ? (await client.call("GET /api/projects")).data.map(({ id }) => id) : ([project] as const);
  const found = new Map<string, readonly [string, Held]>();
  for (const id of ids) {
    const view = await client.call("GET /api/config", { input: { project: id } }).catch((error: unknown) => {
      if (project === undefined && error instanceof AoError && error.code === "config-not-found") return null;
      throw error;
    });
    if (view !== null && isHeld(view) && !found.has(view.file)) found.set(view.file, [id, view]);
  }
  return [...found.values()];
}

function isHeld(view: ConfigView): view is Held {
  return view.held !== null;
}

function refuseInvalid({ file, held }: Held): void {
  const [first] = held.problems;
  if (first === undefined) return;
  throw new AoError({
    code: "config-invalid",
    message: `${file}:${first.line}: ${first.key === "" ? "" : `${first.key}: `}${first.message}`,
    hint: "Correct it first; ao keeps what was in force.",
  });
}

/** The difference, and what it means, with everything that could hide made visible. */
function describeHeld({ file, held }: Held): string {
  const consequences = held.changes.filter(({ key }) => held.runs.includes(key));
  const lines = consequences.map(
    ({ key, before, after }) => `  ${key}: ${before === null ? "" : `${before} -> `}${after ?? "removed"}`,
  );
  return writeOutHidden(
    [
      ...(held.diff === "" ? [] : [held.diff.trimEnd(), ""]),
      lines.length === 0
        ? `Nothing in ${file} starts a program or changes what agents may do.`
        : "What starts programs, or decides what agents may do and what is merged:",
      ...lines,
    ].join("\n"),
  );
}
