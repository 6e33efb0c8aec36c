import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

const PREFIX = "cli-";
const UNUSED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

export interface CompiledCodeOptions {
  /** A script whose value is a function, in ASCII. */
  readonly file: string;
  /** Changes with the content of the file. */
  readonly build: string;
  /** Where compiled code is kept between runs; the parent folder must exist. */
  readonly folder: string;
}

/**
 * The value of a script, compiled by an earlier run if possible: parsing the CLI takes longer than most of its
 * commands. If the cache is missing, damaged, unwritable or from another Node, only that time is lost.
 */
export function loadCompiled({ file, build, folder }: CompiledCodeOptions): unknown {
  const cache = join(folder, `${PREFIX}${build}-${process.version}-${process.arch}.bin`);
  const cachedData = readTwice(cache);
  // V8 keeps one byte per character of this, as on disk.
  const script = new Script(readFileSync(file, "latin1"), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // At the end V8 has compiled what this command needed, which most commands need too.
    process.once("exit", () => keep(cache, script));
  }
  return script.runInThisContext();
}

// V8 checks which program wrote the data, but not whether it is complete: a damaged file would crash every command. So
// the file holds the data twice, because comparing is cheaper than any checksum that Node could load.
function readTwice(cache: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(cache, "r");
    // Code that another user wrote is not run, for example under `sudo ao`.
    const { size, uid } = fstatSync(file);
    if (uid !== process.getuid?.() || size === 0) return undefined;
    const both = Buffer.allocUnsafe(size);
    if (readSync(file, both, 0, size, 0) !== size) return undefined;
    const half = size / 2;
    return both.subarray(0, half).equals(both.subarray(half)) ? both.subarray(0, half) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function keep(cache: string, script: Script): void {
  const folder = dirname(cache);
  try {
    // An unused AO_HOME is not created.
    if (!existsSync(dirname(folder))) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeTwice(cache, script.createCachedData());
    removeUnused(folder);
  } catch {
    // The next command retries.
  }
}

function writeTwice(cache: string, data: Buffer): void {
  const temporary = `${cache}.${process.pid}`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, Buffer.concat([data, data]));
    fsyncSync(file);
    renameSync(temporary, cache);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function removeUnused(folder: string): void {
  const oldest = Date.now() - UNUSED_AFTER_MS;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX))) {
    if (statSync(join(folder, name)).mtimeMs < oldest) rmSync(join(folder, name), { force: true });
  }
}
