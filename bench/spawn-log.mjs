// Loaded into the daemon by `node --import`: writes a line to BENCH_SPAWN_LOG for each process that the daemon starts.
// Wrappers on PATH would miss programs that are started by their full path, and the kernel's counter of forks counts the
// whole machine. Only direct children count; what `git` itself starts does not. As a check that
// nothing goes past this hook, the measure also reads the page faults of ended children (cminflt), which must not grow
// when no start was written down.
import childProcess from "node:child_process";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const log = process.env.BENCH_SPAWN_LOG;

if (log !== undefined) {
  const { spawn } = childProcess.ChildProcess.prototype;
  childProcess.ChildProcess.prototype.spawn = function spawnAndTell(options) {
    tell(options.args ?? [options.file]);
    return spawn.call(this, options);
  };
  for (const name of ["spawnSync", "execFileSync", "execSync"]) {
    const real = childProcess[name];
    childProcess[name] = (...args) => {
      tell([name, String(args[0])]);
      return real(...args);
    };
  }
  syncBuiltinESMExports();
}

function tell(words) {
  appendFileSync(log, `${words.join(" ").replaceAll("\n", " ")}\n`);
}
