import { dirname } from "node:path";
import { chooseLogin } from "../../../core/login/choose-login.ts";
import { admitLogin, isLogin } from "../../../core/login/login-file.ts";
import type { Host } from "../../../ports/host.ts";
import { digestOf, type LoginCopy, type LoginText, readLogin } from "./login-copies.ts";

/** A copy with what is in it now, and what the user's file would be with it. */
interface Looked {
  readonly copy: LoginCopy;
  readonly now: LoginText | null;
  /** Null: nothing new to take. */
  readonly offered: string | null;
}

/**
 * Makes the newest login that of the user and of all copies, and records in the copies that they agree. Returns the copies
 * that could not be written.
 */
export async function reconcileLogin(
  host: Pick<Host, "fs" | "clock" | "log">,
  user: string,
  copies: readonly LoginCopy[],
): Promise<readonly string[]> {
  const { fs, clock, log } = host;
  // A link of the user's own, such as one into a folder that is synchronized.
  const target = (await fs.realPath(user)) ?? user;
  const found = await readLogin(fs, target);
  // A program that could not use its tokens empties the file; that is no login which could be newer than another.
  const own = found !== null && copies.some(({ rule }) => isLogin(rule, found.text)) ? found : null;
  const looked = await Promise.all(copies.map((copy) => look(fs, copy, found)));
  const chosen = chooseLogin(
    { digest: own?.digest ?? null, changedAt: own?.changedAt ?? 0 },
    looked.map(({ copy, now, offered }) => ({
      digest: offered === null ? null : digestOf(offered),
      changedAt: now?.changedAt ?? 0,
      base: copy.agreed.user,
    })),
    clock.now(),
  );
  const winner = chosen === null ? undefined : looked[chosen];
  const taken = winner?.offered ?? null;
  if (taken !== null) {
    await fs.makeDir(dirname(target), { mode: 0o700 });
    await fs.writeText(target, taken, { mode: 0o600 });
  }
  const failed: string[] = [];
  for (const one of looked) {
    // One that an agent made impossible to write must not keep the login from the others.
    await follow(fs, one, { text: taken ?? found?.text ?? null, isSource: one === winner }).catch((error: unknown) => {
      log.debug("a copy of a login is not up to date", { path: one.copy.copy, reason: String(error) });
      failed.push(one.copy.copy);
    });
  }
  return failed;
}

async function look(fs: Host["fs"], copy: LoginCopy, own: LoginText | null): Promise<Looked> {
  const now = await readLogin(fs, copy.copy);
  const isChanged = now !== null && now.digest !== copy.agreed.copy && now.digest !== own?.digest;
  const admitted = isChanged ? admitLogin(copy.rule, now.text, own?.text ?? null) : null;
  return { copy, now, offered: admitted === own?.text ? null : admitted };
}

// The source keeps what it wrote, with fields that nobody else gets.
async function follow(
  fs: Host["fs"],
  { copy, now }: Looked,
  { text, isSource }: { readonly text: string | null; readonly isSource: boolean },
): Promise<void> {
  const digest = text === null ? null : digestOf(text);
  const isSame = isSource || (now?.digest ?? null) === digest;
  // What the program did to its own copy since is no login, or nothing that others get: it stays.
  if (!isSame && digest === copy.agreed.user) return;
  if (!isSame && text !== null) await put(fs, copy.copy, text);
  // The user logged out.
  if (!isSame && text === null && now?.digest === copy.agreed.copy) await fs.remove(copy.copy);
  copy.agreed = { user: digest, copy: isSource ? (now?.digest ?? null) : digest };
}

async function put(fs: Host["fs"], path: string, text: string): Promise<void> {
  if ((await fs.stat(path))?.kind === "directory") await fs.remove(path);
  await fs.writeText(path, text, { mode: 0o600 });
}
