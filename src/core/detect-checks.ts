/** What is known about the files at a project's root, by name. */
export interface ProjectFiles {
  readonly names: readonly string[];
  /** Content of package.json, or null. */
  readonly packageJson: string | null;
  /** Content of the Makefile, or null. */
  readonly makefile: string | null;
  /** Content of pyproject.toml, if it was read. */
  readonly pyproject?: string | null;
}

/** Scripts of package.json that are checks, with the command that runs them. */
const SCRIPTS: readonly (readonly [script: string, command: string])[] = [
  ["test", "npm test"],
  ["lint", "npm run lint"],
  ["typecheck", "npm run typecheck"],
];

/** The test script of a new package. */
const NO_TEST = "no test specified";

/** Checks of a project that configures none; the first matching kind of project decides. */
export function detectChecks(files: ProjectFiles): Readonly<Record<string, { readonly run: string }>> {
  const fromPackage = ofPackage(files);
  if (Object.keys(fromPackage).length > 0) return fromPackage;
  // A rule, not a variable of that name.
  if (files.makefile !== null && /^test[ \t]*::?(?!=)/m.test(files.makefile)) return { test: { run: "make test" } };
  if (files.names.includes("Cargo.toml")) return { test: { run: "cargo test" } };
  if (files.names.includes("go.mod")) return { test: { run: "go test ./..." } };
  if (isTestedByPytest(files)) return { test: { run: "python3 -m pytest" } };
  return {};
}

function isTestedByPytest({ names, pyproject }: ProjectFiles): boolean {
  if (names.includes("pytest.ini") || names.includes("conftest.py")) return true;
  return /^\[tool\.pytest|["']pytest\b/m.test(pyproject ?? "");
}

function ofPackage(files: ProjectFiles): Readonly<Record<string, { readonly run: string }>> {
  const scripts = scriptsOf(files.packageJson);
  const runner = files.names.includes("pnpm-lock.yaml") ? "pnpm" : files.names.includes("yarn.lock") ? "yarn" : "npm";
  const found = SCRIPTS.filter(([script]) => scripts[script] !== undefined && !scripts[script].includes(NO_TEST));
  return Object.fromEntries(found.map(([script, command]) => [script, { run: command.replace(/^npm/, runner) }]));
}

function scriptsOf(packageJson: string | null): Readonly<Record<string, string>> {
  if (packageJson === null) return {};
  try {
    const parsed: unknown = JSON.parse(packageJson);
    const scripts = (parsed as { readonly scripts?: unknown } | null)?.scripts;
    if (scripts === null || typeof scripts !== "object") return {};
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    // npm cannot read the scripts of such a package.json either.
    return {};
  }
}
