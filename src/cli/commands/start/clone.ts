import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { AoError } from "../../../core/errors.ts";
import { misuse } from "../../args/usage-error.ts";
import { codeOf } from "../../client/http.ts";
import { note } from "../../views/print.ts";

/** Whether a word names a repository elsewhere rather than a folder here. */
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
    throw misuse(`cannot tell a folder from ${url}`, "Clone it yourself, then: ao start FOLDER");
  }
  return name;
}

/** The local folder of a repository's URL, cloned here on first use. */
export function cloneHere(url: string): string {
  const folder = resolve(cloneName(url));
  if (existsSync(`${folder}/.git`)) {
    note(`${folder} is there already; using it`);
    return folder;
  }
  const result = spawnSync("git", ["clone", "--", url, folder], { stdio: ["inherit", 2, 2] });
  if (codeOf(result.error) === "ENOENT") {
    throw new AoError({
      code: "program-missing",
      message: "git is not installed",
      hint: "`ao doctor` tells how to get it.",
    });
  }
  if (result.status === 0) return folder;
  const hint = "git said why; check the address and your access to it.";
  throw new AoError({ code: "git-failed", message: `${url} could not be cloned`, hint });
}
