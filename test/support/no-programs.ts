import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

// Loaded before each file of the project "pure": starting a program there throws this error.
const refuse = (): never => {
  throw new Error("this test starts a program: list its file in REAL (vitest.config.ts)");
};
for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const) {
  childProcess[name] = refuse as never;
}
syncBuiltinESMExports();
