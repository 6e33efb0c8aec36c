import { homedir } from "node:os";
import { type HomePaths, homePaths } from "../../protocol/home.ts";

/** The files of the AO_HOME that this command works with. */
export function currentHome(): HomePaths {
  return homePaths({
    env: process.env,
    userHome: homedir(),
    uid: process.getuid?.() ?? 0,
    cwd: process.cwd(),
  });
}
