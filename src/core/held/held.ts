/** Why a path is held: it configures `ao`, agents read it as rules, or something that `ao` starts runs it. */
export type HeldSource =
  | { readonly kind: "configuration" }
  | { readonly kind: "rules" }
  | { readonly kind: "check"; readonly name: string }
  /** A key of the configuration that names a command or a file, such as `postCreate`. */
  | { readonly kind: "key"; readonly name: string };

/**
 * What a person approves before it is merged, whatever else is configured: files that decide what `ao`, its checks and
 * its agents do.
 */
export interface HeldRule {
  /** Identifies this rule in what was measured with it. */
  readonly key: string;
  readonly files: readonly { readonly glob: string; readonly source: HeldSource }[];
  /** Shell commands; held is what they run. */
  readonly commands: readonly { readonly run: string; readonly source: HeldSource }[];
}

/** A held path that a pull request changes. */
export interface HeldPath {
  readonly path: string;
  /** The script of a package.json that changed; absent: the file. */
  readonly entry?: string;
  readonly source: HeldSource;
}

/** The held paths that a pull request changes, as measured with one rule. */
export interface HeldFacts {
  readonly rule: string;
  readonly paths: readonly HeldPath[];
  /** How many there are; `paths` can be cut. */
  readonly count: number;
}

/** A held path, with the reason: `CLAUDE.md (rules for agents)`. */
export function describeHeld({ path, entry, source }: HeldPath): string {
  return `${path} (${entry === undefined ? "" : `script \`${entry}\`: `}${describeSource(source)})`;
}

function describeSource(source: HeldSource): string {
  switch (source.kind) {
    case "configuration":
      return "configures ao";
    case "rules":
      return "rules for agents";
    case "check":
      return `check \`${source.name}\` runs it`;
    case "key":
      return `\`${source.name}\` names it`;
  }
}

/** Names that some file systems do not distinguish are the same file to the programs that read it. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}
