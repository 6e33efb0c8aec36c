import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { AoError } from "../../../core/errors.ts";
import { withoutCredentials } from "../../../core/without-credentials.ts";
import { misuse } from "../../args/usage-error.ts";
import { codeOf } from "../../client/http.ts";
import { note, withProgress } from "../../views/print.ts";

/** Does a word name a remote repository rather than a local folder? */
export function isRepositoryUrl(written: string): boolean {
  return /^(?:https?|ssh|git|file):\/\//.test(written) || /^[^/\s@]+@[^/\s:]+:\S+$/.test(written);
}

/** The folder that git itself would clone a URL into. */
export function cloneName(url: string): string {
  const name =
    url
      .replace(/[/]+$/, "")
      .replace(/\.git$/, "")
      .split(/[/:]/)
      .at(-1) ?? "";
  if (name === "" || name.startsWith(".") || name.startsWith("-")) {
    throw misuse(
      `cannot derive a folder name from ${withoutCredentials(url)}`,
      "Clone it yourself, then: ao start FOLDER",
    );
  }
  return name;
}

/** The local folder of a repository's URL, cloned on first use. */
export async function cloneRepository(url: string, into: string | undefined): Promise<string> {
  const folder = resolve(into ?? cloneName(url));
  if (existsSync(folder) && readdirSync(folder).length > 0) return acceptExisting(url, folder);
  const { status, said } = await withProgress(`cloning ${withoutCredentials(url)}`, runClone(url, folder));
  if (status === 0) return folder;
  note(said.trim().replace(/(\w+:\/\/)[^@/\s]*@/g, "$1"));
  throw new AoError({ code: "git-failed", ...explainFailure(said, url) });
}

/** An existing folder is used if it is a clone of the same repository. */
function acceptExisting(url: string, folder: string): string {
  const args = ["-C", folder, "config", "--local", "--get", "remote.origin.url"];
  const { stdout } = spawnSync("git", args, { encoding: "utf8" });
  if (plainUrl((stdout ?? "").trim()) !== plainUrl(url)) {
    throw new AoError({
      code: "conflict",
      message: `${folder} exists and is not a clone of ${withoutCredentials(url)}`,
      hint: `Clone it elsewhere: ao start ${withoutCredentials(url)} --into FOLDER`,
    });
  }
  note(`${folder} is there already; using it`);
  return folder;
}

/** Runs git; it asks for a password on the terminal itself, and its output is kept to explain a failure. */
async function runClone(url: string, folder: string): Promise<{ readonly status: number; readonly said: string }> {
  const git = spawn("git", ["clone", "--", url, folder], { stdio: ["inherit", "ignore", "pipe"] });
  let said = "";
  git.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString("utf8")}`.slice(-10_000);
  });
  return new Promise((done, fail) => {
    git.once("error", (error) => {
      const message = codeOf(error) === "ENOENT" ? "git is not installed" : `git cannot be started: ${error.message}`;
      fail(new AoError({ code: "program-missing", message, hint: "`ao doctor` says how to install it." }));
    });
    git.once("close", (code) => done({ status: code ?? 1, said }));
  });
}

const NO_ACCESS =
  /could not read (?:username|password)|authentication failed|permission denied|access denied|returned error: 40[13]/i;
const MISSING = /not found|does not exist|does not appear to be a git repository/i;
const UNREACHABLE =
  /could not resolve host|connection (?:refused|timed out|reset)|failed to connect|network is unreachable/i;

/** Why a clone failed, in plain words. */
export function explainFailure(said: string, url: string): { readonly message: string; readonly hint: string } {
  const shown = withoutCredentials(url);
  const host = /(?:\/\/|@)([^/:@]+)[:/]/.exec(shown)?.[1] ?? "the server";
  if (UNREACHABLE.test(said))
    return { message: `${host} cannot be reached`, hint: "Check the address and your network." };
  if (NO_ACCESS.test(said)) {
    const hint = `Sign in to git for ${host} (on GitHub: \`gh auth login\`, then \`gh auth setup-git\`), or use the SSH address.`;
    return { message: `you have no access to ${shown}`, hint };
  }
  if (MISSING.test(said)) {
    return {
      message: `there is no repository ${shown}, or you may not see it`,
      hint: "Check the address, and that you are signed in.",
    };
  }
  return { message: `${shown} could not be cloned`, hint: "git said why; check the address and your access to it." };
}

/** The common form of a URL's spellings. */
function plainUrl(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^@/]*@/, "$1")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}
