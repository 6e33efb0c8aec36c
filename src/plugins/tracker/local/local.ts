import { join } from "node:path";
import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { matchesFilter } from "../../../core/task/match-issue.ts";
import type { Host } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { Issue, IssueFilter, IssuePatch, NewIssue, Tracker } from "../../../ports/tracker.ts";
import { createFile } from "./create-file.ts";
import { type FoundIssue, readFolder, readOne } from "./folder.ts";
import { formatEdit, formatIssue } from "./format.ts";
import { normalizeIssueId } from "./id.ts";

/** Issues as Markdown files in the project's main checkout; needs no account, no network and no daemon. */
export const local = definePlugin({
  slot: "tracker",
  name: "local",
  summary: "Issues as Markdown files in .ao/issues",
  config: z.strictObject({}),
  requires: [],
  create: (_config, host, context) => createLocalTracker(host, join(context.projectPath, ".ao", "issues")),
});

function createLocalTracker(host: Host, folder: string): Tracker {
  // Edits read, change and write: one after another, so that none is lost.
  let lastEdit: Promise<unknown> = Promise.resolve();
  return {
    isOwn: true,
    list: (filter) => list(host, folder, filter),
    get: (ids) => get(host, folder, ids),
    create: (issue) => create(host, folder, issue),
    edit: (id, patch) => {
      const done = lastEdit.then(() => edit(host, folder, { id, patch }));
      lastEdit = done.catch(() => undefined);
      return done;
    },
  };
}

async function list(host: Host, folder: string, filter: IssueFilter): ReturnType<Tracker["list"]> {
  const { found, problems } = await readFolder(host, folder);
  const issues = found.map((one) => one.parsed.issue).filter((issue) => matchesFilter(issue, filter));
  return { issues, problems };
}

async function get(host: Host, folder: string, ids: readonly string[]): Promise<readonly Issue[]> {
  const wanted = [...new Set(ids.map(normalizeIssueId))];
  if (wanted.length === 0) return [];
  const found = await Promise.all(wanted.map((id) => readOne(host, folder, id)));
  return found.flatMap((one) => (one === null ? [] : [one.parsed.issue]));
}

async function create(host: Host, folder: string, issue: NewIssue): Promise<Issue> {
  const id = await createFile(host, folder, { title: issue.title, text: formatIssue(issue) });
  return (await requireOne(host, folder, id)).parsed.issue;
}

async function edit(
  host: Host,
  folder: string,
  { id, patch }: { readonly id: string; readonly patch: IssuePatch },
): Promise<Issue> {
  const found = await requireOne(host, folder, normalizeIssueId(id));
  const text = formatEdit(found.parsed, patch);
  if (text !== found.text) {
    const path = join(folder, found.name);
    const stat = await host.fs.stat(path);
    await host.fs.writeText(path, text, { mode: stat?.mode ?? 0o644 });
  }
  return (await requireOne(host, folder, String(found.number))).parsed.issue;
}

async function requireOne(host: Host, folder: string, id: string): Promise<FoundIssue> {
  const found = await readOne(host, folder, id);
  if (found !== null) return found;
  throw new PluginError({
    plugin: "local",
    code: "task-unknown",
    category: "not-found",
    message: `There is no issue ${id} in ${folder}.`,
    hint: "`ao issue list` shows what there is.",
  });
}
