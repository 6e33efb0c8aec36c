/** A piece of a line, and its kind. */
export interface YamlPart {
  readonly kind: "key" | "comment" | "text";
  readonly text: string;
}

const LINE = /^(\s*(?:- )*)((?:"[^"]*"|'[^']*'|[\w$./*-]+):)?(?=\s|$)?(.*)$/s;
const COMMENT = /(?:^|\s)#.*$/;

/** A line of YAML as pieces for coloring. It only has to be right for common input: nothing depends on it. */
export function markYaml(line: string): readonly YamlPart[] {
  const [, indent = "", key = "", rest = ""] = LINE.exec(line) ?? ["", "", "", line];
  const isKey = key !== "" && (rest === "" || /^\s/.test(rest));
  const value = isKey ? rest : key + rest;
  const comment = /["']/.test(value) ? "" : (COMMENT.exec(value)?.[0] ?? "");
  const parts: readonly YamlPart[] = [
    { kind: "text", text: indent },
    { kind: "key", text: isKey ? key : "" },
    { kind: "text", text: value.slice(0, value.length - comment.length) },
    { kind: "comment", text: comment },
  ];
  return parts.filter(({ text }) => text !== "");
}
