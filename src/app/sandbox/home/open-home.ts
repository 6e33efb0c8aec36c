import { basename, dirname, join } from "node:path";
import { shortHash } from "../../../core/hash.ts";
import type { SessionState } from "../../../core/session/state.ts";
import type { Agent, AgentFolder } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import type { HomePaths } from "../../../protocol/home.ts";
import type { PlaceRule } from "../bubblewrap.ts";
import { adoptConversations } from "./adopt-conversations.ts";
import type { Logins } from "./logins.ts";
import { isAmong } from "./names.ts";
import { type HomeRecord, homeFolder, readHomeRecord, writeHomeRecord } from "./record.ts";
import { seed } from "./seed.ts";

/** What the daemon knows beside the session. */
export interface HomeSources {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly logins: Logins;
  readonly agent: Pick<Agent, "footprint">;
  readonly environment: Readonly<Record<string, string>>;
}

export interface OpenHome {
  readonly rules: readonly PlaceRule[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Place {
  readonly folder: AgentFolder;
  /** The user's folder, without links. */
  readonly source: string;
  /** The session's copy of it. */
  readonly to: string;
  readonly name: string;
}

/**
 * The folders of an agent's program, as its sandbox shows them: copies that only this session has, with the user's
 * settings and logins of this moment. Nothing comes out of them but the logins.
 */
export async function openHome(session: SessionState, sources: HomeSources): Promise<OpenHome> {
  const { host, paths, logins, agent, environment } = sources;
  const footprint = agent.footprint?.(environment);
  if (footprint === undefined) return { rules: [], environment: {} };
  const home = homeFolder(paths, session.id);
  const before = await readHomeRecord(host.fs, home);
  const places = await findPlaces(host, home, footprint.folders);
  const opened: (HomeRecord["folders"][number] & { readonly rules: readonly PlaceRule[] })[] = [];
  for (const { folder, source, to, name } of places) {
    const { conversations = [] } = folder;
    await host.fs.makeDir(to, { mode: 0o700 });
    if (before === null && session.run.n > 1) {
      const how = { patterns: conversations, since: session.createdAt };
      await adoptConversations(host.fs, { from: source, to }, how);
    }
    const known = before?.folders.find((one) => one.source === source)?.seeded ?? [];
    const mounted = places.filter((one) => dirname(one.source) === source).map((one) => basename(one.source));
    const { rules, seeded } = await seed(host.fs, { folder, source, to, before: known, mounted });
    const own: PlaceRule = { path: source, as: "write", from: to };
    opened.push({ source, name, conversations: [...conversations], seeded: [...seeded], rules: [own, ...rules] });
  }
  const others = before?.folders.filter(({ source }) => places.every((place) => place.source !== source)) ?? [];
  await writeHomeRecord(host.fs, home, { folders: [...opened.map(({ rules: _, ...one }) => one), ...others] });
  await logins.share(
    session.id,
    places.flatMap(({ folder, source, to }) =>
      (folder.logins ?? []).map((rule) => ({ user: join(source, rule.name), copy: join(to, rule.name), rule })),
    ),
  );
  return { rules: opened.flatMap(({ rules }) => rules), environment: footprint.environment ?? {} };
}

/** Removes a session's copies, except the conversations, with which a restored session goes on. */
export async function dropHome(
  { host: { fs }, paths, logins }: Pick<HomeSources, "host" | "paths" | "logins">,
  sessionId: string,
): Promise<void> {
  await logins.collect(sessionId);
  const home = homeFolder(paths, sessionId);
  const record = await readHomeRecord(fs, home);
  for (const { name, conversations } of record?.folders ?? []) {
    for (const entry of await fs.list(join(home, name))) {
      if (!isAmong(entry, conversations)) await fs.remove(join(home, name, entry));
    }
  }
  if (record === null) return;
  await writeHomeRecord(fs, home, { folders: record.folders.map((folder) => ({ ...folder, seeded: [] })) });
}

async function findPlaces({ fs }: Host, home: string, folders: readonly AgentFolder[]): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const folder of folders) {
    const parent = folders.find(({ path }) => dirname(folder.path) === path);
    // Where the user has no such folder, the sandbox needs one to mount the copy over.
    if (parent === undefined) await fs.makeDir(folder.path, { mode: 0o700 });
    const above = parent === undefined ? null : await fs.realPath(parent.path);
    const source = above === null ? await fs.realPath(folder.path) : join(above, basename(folder.path));
    if (source === null) continue;
    const name = `${basename(source)}-${shortHash(source)}`;
    places.push({ folder, source, to: join(home, name), name });
  }
  return places;
}
