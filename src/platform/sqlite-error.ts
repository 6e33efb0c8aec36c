import { AoError } from "../core/errors.ts";

/** What the system says of a file that may not be written, whatever the reason. */
const UNWRITABLE: readonly string[] = ["EACCES", "EROFS", "EPERM"];

/** Turns a database failure into what the user can do about it. */
export function explainSqlite(error: unknown, file: string): AoError {
  if (error instanceof AoError) return error;
  const code = String((error as { code?: unknown }).code ?? "");
  const text = error instanceof Error ? error.message : String(error);
  const is = (...names: readonly string[]): boolean =>
    names.some((name) => code.startsWith(name) || text.includes(name));
  // A state or event that is not JSON is as damaged as a page that cannot be read.
  if (error instanceof SyntaxError || is("SQLITE_CORRUPT", "SQLITE_NOTADB", "malformed", "not a database")) {
    return new AoError({
      code: "store-corrupt",
      message: `The store ${file} is damaged and was not touched.`,
      hint: "`ao doctor --fix` moves it aside and rebuilds what git and the session folders still know.",
      cause: error,
    });
  }
  if (is("SQLITE_FULL", "SQLITE_IOERR_WRITE", "disk is full", "ENOSPC")) {
    return new AoError({
      code: "disk-full",
      message: `The disk that holds ${file} is full, so nothing was changed.`,
      hint: "Free some space; `ao` then continues on its own.",
      cause: error,
    });
  }
  if (is("EMFILE", "ENFILE")) {
    return new AoError({
      code: "store-unwritable",
      message: `The store ${file} cannot be opened: too many files are open (${text}).`,
      hint: "Raise the limit of open files (`ulimit -n 4096`), then run `ao start` in the same shell.",
      cause: error,
    });
  }
  if (is("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "unable to open", "readonly", ...UNWRITABLE)) {
    return new AoError({
      code: "store-unwritable",
      message: `The store ${file} cannot be written (${text}).`,
      hint: `Make the file and its folder writable for you, or choose another folder with AO_HOME. \`ls -ld\` shows their owners and modes, \`lsattr\` a file that is immutable.`,
      cause: error,
    });
  }
  if (is("SQLITE_IOERR", "disk I/O")) {
    return new AoError({
      code: "disk-full",
      message: `The disk that holds ${file} refuses writes (${text}).`,
      hint: "Check its free space and health.",
      cause: error,
    });
  }
  return new AoError({ code: "internal", message: `The store ${file} failed: ${text}`, cause: error });
}
