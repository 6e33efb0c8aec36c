import { type Git, splitNul } from "./git.ts";

/** A saved state: the commit's tree is the work tree, its first parent HEAD, its second parent the index. */
export interface Snapshot {
  readonly head: string;
  /** The branch that HEAD was on, or null when detached. */
  readonly branch: string | null;
  readonly workTree: string;
  readonly indexTree: string;
  readonly intentToAdd: readonly string[];
}

export interface Preserved extends Snapshot {
  readonly ref: string;
  readonly commit: string;
  readonly number: number;
  readonly generation: number;
}

/** The ref prefix of a session's saved states. */
export function preservedPrefix(sessionId: string): string {
  return `refs/ao/preserved/${refComponent(sessionId)}/`;
}

/**
 * The ref prefix that marks saved states as superseded: `<n>` means that state n was restored, and the checkout was
 * later removed with everything committed. Restoring it again would undo work.
 */
export function supersededPrefix(sessionId: string): string {
  return `refs/ao/superseded/${refComponent(sessionId)}/`;
}

/** A session's id as part of a ref. Ids are slugs; anything git would reject is written as %XX. */
export function refComponent(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id)) return id;
  return Array.from(new TextEncoder().encode(id), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;
  }).join("");
}

/** The message of a saved commit, with trailers that `parsePreserved` reads back. */
export function formatMessage(snapshot: Snapshot, sessionId: string, generation: number): string {
  const trailers = [
    `Ao-Session: ${JSON.stringify(sessionId)}`,
    `Ao-Generation: ${generation}`,
    ...(snapshot.branch === null ? [] : [`Ao-Branch: ${snapshot.branch}`]),
    `Ao-Detached: ${snapshot.branch === null}`,
    `Ao-Index-Tree: ${snapshot.indexTree}`,
    ...(snapshot.intentToAdd.length === 0 ? [] : [`Ao-Intent-To-Add: ${JSON.stringify(snapshot.intentToAdd)}`]),
  ];
  return `ao: saved work of ${JSON.stringify(sessionId)}\n\n${trailers.join("\n")}\n`;
}

export interface SavedStates {
  /** Oldest first. */
  readonly all: readonly Preserved[];
  /** The one that a restore uses. */
  readonly current: Preserved | null;
  /** The first unused number. */
  readonly nextNumber: number;
}

/** A session's saved states. */
export async function listSaved(git: Git, cwd: string, sessionId: string): Promise<SavedStates> {
  const format = "%(refname)%00%(objectname)%00%(tree)%00%(parent)%00%(contents)%00";
  const prefixes = [preservedPrefix(sessionId), supersededPrefix(sessionId)] as const;
  const { stdout } = await git({ cwd, args: ["for-each-ref", `--format=${format}`, ...prefixes] });
  const fields = splitNul(stdout.replace(/\n$/, "")).map((field) => field.replace(/^\n/, ""));
  const all: Preserved[] = [];
  const numbers = [0];
  let superseded = 0;
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const number = Number(fields[at]!.slice(fields[at]!.lastIndexOf("/") + 1));
    if (!Number.isInteger(number)) continue;
    numbers.push(number);
    if (fields[at]!.startsWith(prefixes[1])) superseded = Math.max(superseded, number);
    const preserved = parsePreserved(number, fields.slice(at, at + 5));
    if (preserved !== null && fields[at]!.startsWith(prefixes[0])) all.push(preserved);
  }
  all.sort((a, b) => a.number - b.number);
  const last = all.at(-1);
  return {
    all,
    current: last !== undefined && last.number > superseded ? last : null,
    nextNumber: Math.max(...numbers) + 1,
  };
}

function parsePreserved(number: number, fields: readonly string[]): Preserved | null {
  const [ref = "", commit = "", workTree = "", parents = "", message = ""] = fields;
  const trailers = new Map(
    message.split("\n").flatMap((line) => {
      const match = /^(Ao-[A-Za-z-]+): (.*)$/.exec(line);
      return match === null ? [] : [[match[1]!, match[2]!] as const];
    }),
  );
  const head = parents.split(" ")[0];
  const indexTree = trailers.get("Ao-Index-Tree");
  // A ref that a person created there is not one of our saved states.
  if (head === undefined || head === "" || indexTree === undefined) return null;
  return {
    ref,
    commit,
    number,
    generation: Number(trailers.get("Ao-Generation") ?? 0),
    head,
    branch: trailers.get("Ao-Branch") ?? null,
    workTree,
    indexTree,
    intentToAdd: JSON.parse(trailers.get("Ao-Intent-To-Add") ?? "[]") as string[],
  };
}
