const RUNNERS = /^(?:npm|pnpm|yarn|bun|node|run-s|run-p|npm-run-all2?|concurrently|turbo|nx|lerna)$/;
const ALIASES: Readonly<Record<string, string>> = { t: "test", tst: "test" };
const INSTALLS = /^(?:ci|clean-install|install|i|add|install-test|it|rebuild)$/;
/** What an installation runs of the project itself. */
const LIFECYCLE: readonly string[] = ["preinstall", "install", "postinstall", "prepublish", "prepare"];

/**
 * The scripts of a package.json that a command may run, as names or with `*` for a part of them. A word too many only holds a script
 * that does not run.
 */
export function scriptsRunBy(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => RUNNERS.test(baseName(word)));
  const named = words.flatMap((word) => (/^(?:npm|pnpm|yarn|bun):./.test(word) ? [word.replace(/^\w+:/, "")] : []));
  if (at === -1) return named;
  const rest = words.slice(at + 1);
  const runner = baseName(words[at] ?? "");
  if (runner === "node") return [...named, ...runByNode(rest)];
  const end = rest.indexOf("--");
  const names = (end === -1 ? rest : rest.slice(0, end)).filter((word) => !word.startsWith("-"));
  const installs = names.some((name) => INSTALLS.test(name)) || (runner === "yarn" && names.length === 0);
  return [...named, ...names.map((name) => ALIASES[name] ?? name), ...(installs ? LIFECYCLE : [])];
}

function runByNode(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (word.startsWith("--run=")) return [word.slice("--run=".length)];
    return words[at - 1] === "--run" ? [word] : [];
  });
}

/** Does this command run scripts of other packages of the repository as well? */
export function reachesWorkspaces(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:-w|-ws|-r|-F|--workspaces?(?:=.*)?|--recursive|--filter(?:=.*)?|workspaces?|foreach|turbo|nx|lerna)$/.test(
      word,
    ),
  );
}

/** The scripts of a package.json; null: it cannot be read. */
export function readScripts(text: string | null): ReadonlyMap<string, string> | null {
  if (text === null) return new Map();
  try {
    const { scripts = {} } = JSON.parse(text) as { readonly scripts?: unknown };
    if (typeof scripts !== "object" || scripts === null) return new Map();
    return new Map(
      Object.entries(scripts).map(([name, run]) => [name, typeof run === "string" ? run : JSON.stringify(run)]),
    );
  } catch {
    return null;
  }
}

/** The scripts among these that a name means: itself and what runs before and after it. */
export function scriptsNamed(name: string, known: Iterable<string>): readonly string[] {
  const isMeant = meantBy(name);
  return [...known].filter((one) => isMeant(one) || isMeant(one.replace(/^(?:pre|post)/, "")));
}

function meantBy(name: string): (one: string) => boolean {
  const parts = name.split("*");
  if (parts.length === 1) return (one) => one === name;
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  return (one) => one.startsWith(first) && one.endsWith(last);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
