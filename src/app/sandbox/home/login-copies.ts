import { createHash } from "node:crypto";
import { join } from "node:path";
import type { LoginFile } from "../../../core/login/login-file.ts";
import type { HostFs } from "../../../ports/host.ts";
import { parseList } from "./parse-list.ts";

/** Larger than any file with a login. */
const MAX_BYTES = 256 * 1024;
const FILE = "logins.json";

/** A session's copy of a file with a login. */
export interface LoginCopy {
  /** The user's file. */
  readonly user: string;
  /** The session's copy of it. */
  readonly copy: string;
  readonly rule: LoginFile;
  /** The digests of both when they were last the same login; null: there was no file. */
  agreed: { readonly user: string | null; readonly copy: string | null };
}

/** The text of a file with a login, as it was read. */
export interface LoginText {
  readonly text: string;
  readonly digest: string;
  readonly changedAt: number;
}

/** The copies recorded in a session's folder; none if the record is missing or damaged. */
export async function readCopies(fs: HostFs, home: string): Promise<LoginCopy[]> {
  const text = await fs.readText(join(home, FILE));
  return text === null ? [] : [...parseList<LoginCopy>(text, "copies", isCopy)];
}

function isCopy({ user, copy, rule, agreed }: Partial<LoginCopy>): boolean {
  const isNamed = typeof user === "string" && typeof copy === "string";
  return isNamed && typeof rule?.name === "string" && agreed !== undefined && "user" in agreed && "copy" in agreed;
}

export async function writeCopies(fs: HostFs, home: string, copies: readonly LoginCopy[]): Promise<void> {
  if (copies.length === 0) return fs.remove(join(home, FILE));
  await fs.writeText(join(home, FILE), JSON.stringify({ copies }), { mode: 0o600 });
}

/** Null: there is no plain file of a plausible size. An agent may have put anything in its place. */
export async function readLogin(fs: HostFs, path: string): Promise<LoginText | null> {
  const found = await fs.readPlain(path, MAX_BYTES);
  if (found === null) return null;
  const text = new TextDecoder().decode(found.bytes);
  return { text, digest: digestOf(text), changedAt: found.mtimeMs };
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
