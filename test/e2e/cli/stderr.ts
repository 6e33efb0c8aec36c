import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Everything that `ao` says on stderr on purpose, besides errors and their hints. */
const REMARKS: readonly RegExp[] = [
  /^note: /,
  /^(blocking merge|waiting for|older items|more): /,
  /^\S+ is \S+ \(row \d+ of the last `ao list`\)$/,
  /^project \S+ \(.+\)$/,
  /^To open it from another machine: /,
  /^(All projects are|\S+ is) still paused; `ao resume/,
  /^The checks of #\d+ keep running; /,
  /^Following .+\. Ctrl\+C detaches\.$/,
  /^Detached; |^Handed back; |^Press Ctrl\+C to detach|^The daemon and its agents keep running; /,
  /^\S+ has stopped\.$/,
  /^Your text is kept in /,
  /^The demo's files are in /,
  /^Cloning into |^done\.$|is there already; using it$/,
  /^~ is estimated from list prices of |^unknown: [\d,]+ tokens /,
  /^Moved the damaged store to |^Found again: |^Lost: /,
  // What npm says in a command that a person runs through `ao run`.
  /^npm (notice|warn)\b/,
  // What git said about a clone that failed, before our own error.
  /^(fatal|remote): .*(not found|could not read|unable to access|Authentication failed)/,
];
/** An error or hint may have several lines, none of which Node wrote. */
const FOREIGN = /^\(node:\d+\)|^\(Use `node|^ +at .+[:)]|^node:internal|^Debugger |^Node\.js v|\w+Warning: /;

/** The lines of a command's stderr that nobody asked for. */
export function strayLines(stderr: string): readonly string[] {
  let isInError = false;
  return stderr.split("\n").filter((line) => {
    if (FOREIGN.test(line)) return true;
    if (/^(error|hint): /.test(line)) isInError = true;
    return !(line === "" || isInError || REMARKS.some((remark) => remark.test(line)));
  });
}

/** Fails if a command said on stderr what it never says on purpose, such as a warning of Node's. */
export function expectNothingStray(what: string, stderr: string): void {
  expect(strayLines(stderr), `stderr of ${what}`).toEqual([]);
}

/** Node's warnings in a text, such as that of a leak of listeners. */
export function warningsIn(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => /^\(node:\d+\)|\w+Warning: /.test(line));
}

/** The same for what the daemons of an AO_HOME printed, which reaches a person only as a file. */
export function expectQuietDaemons(aoHome: string): void {
  const file = join(aoHome, "logs/daemon.out");
  if (existsSync(file)) expectNothingStray("the daemon", readFileSync(file, "utf8"));
}
