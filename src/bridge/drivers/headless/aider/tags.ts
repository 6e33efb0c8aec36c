import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const NAME = /^\.aider\.tags\.cache\.v\d+$/;

/** Takes the program's map of the repository out of the workspace: it cannot be told to keep it elsewhere. */
export function takeTags(workspace: string, folder: string): void {
  for (const name of list(workspace)) move(join(workspace, name), join(folder, name));
}

/** Brings it back for a turn, so that it is not made anew each time. */
export function bringTags(folder: string, workspace: string): void {
  for (const name of list(folder)) move(join(folder, name), join(workspace, name));
}

function list(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => NAME.test(name));
}

// On another file system it is made anew.
function move(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch {
    rmSync(from, { recursive: true, force: true });
  }
}
