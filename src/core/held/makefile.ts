interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

interface Parts {
  readonly rules: readonly Rule[];
  /** Variables, includes, conditions: they can change what any rule does. */
  readonly common: readonly string[];
}

/** Rules that make itself reads, such as `.DEFAULT` and `.SHELLFLAGS`; `.PHONY` only lists names. */
const SPECIAL = /^\.(?!PHONY\b)[A-Z]/;

/** The targets of a make command; an empty name is the first of the file. Null: it does not run make. */
export function targetsOf(words: readonly string[]): readonly string[] | null {
  const at = words.findIndex((word) => /(?:^|\/)g?make$/.test(word));
  if (at === -1) return null;
  const targets = words.slice(at + 1).filter((word) => !word.startsWith("-") && !word.includes("="));
  return targets.length === 0 ? [""] : targets;
}

/** The part of a Makefile that these targets depend on, as text to compare. */
export function textOfTargets(makefile: string | null, targets: readonly string[]): string {
  if (makefile === null) return "";
  // The text of a definition looks like rules.
  if (/^\s*(?:override\s+)?define\b/m.test(makefile)) return makefile;
  const { rules, common } = readMakefile(makefile);
  const first = rules.find((rule) => !isSpecial(rule))?.targets.slice(0, 1) ?? [];
  const wanted = new Set(targets.flatMap((target) => (target === "" ? first : [target])));
  const used = new Set<Rule>();
  // Each round adds at least one rule, or it is the last.
  for (let grew = true; grew; ) {
    const more = rules.filter(
      (rule) => !used.has(rule) && (isSpecial(rule) || rule.targets.some((one) => wanted.has(one))),
    );
    for (const rule of more) {
      used.add(rule);
      for (const need of rule.needs) wanted.add(need);
    }
    grew = more.length > 0;
  }
  return [...common, ...rules.filter((rule) => used.has(rule)).flatMap(({ lines }) => lines)].join("\n");
}

function isSpecial({ targets }: Rule): boolean {
  return targets.some((target) => SPECIAL.test(target) || target.includes("%") || target.includes("$"));
}

function readMakefile(text: string): Parts {
  const parts = { rules: [] as (Rule & { readonly lines: string[] })[], common: [] as string[] };
  let recipe: string[] | null = null;
  for (const line of joinContinued(text)) {
    const rule = splitRule(line);
    if (recipe !== null && line.startsWith("\t")) {
      recipe.push(line);
    } else if (rule !== null) {
      recipe = [line];
      if (!rule.targets.every((target) => target === ".PHONY")) parts.rules.push({ ...rule, lines: recipe });
    } else {
      parts.common.push(line);
      // A condition can stand within a recipe.
      if (!/^\s*(?:if|else|endif)/.test(line)) recipe = null;
    }
  }
  return parts;
}

/** The targets of a line that begins a rule, and what they need; null: it is something else, such as a variable. */
function splitRule(line: string): { readonly targets: string[]; readonly needs: string[] } | null {
  const colon = line.indexOf(":");
  const targets = line.slice(0, colon);
  const rest = line.slice(colon).replace(/^::?/, "");
  if (colon <= 0 || /^\s|[#=]/.test(targets) || /^[:=]/.test(rest)) return null;
  const needs = rest.split(";", 1)[0] ?? "";
  return needs.includes("=") ? null : { targets: listNames(targets), needs: listNames(needs) };
}

function joinContinued(text: string): readonly string[] {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
}

function listNames(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== "" && name !== "|");
}
