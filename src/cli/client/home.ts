import { type HomePaths, homePaths } from "../../protocol/home.ts";

/** The files of the AO_HOME that this command works with. */
export function currentHome(): HomePaths {
  return homePaths({
    env: process.env,
    // node:os would return the same; loading it would take longer than all of this.
    userHome: process.env["HOME"] || process.getBuiltinModule("node:os").homedir(),
    uid: process.getuid?.() ?? 0,
    cwd: process.cwd(),
  });
}
