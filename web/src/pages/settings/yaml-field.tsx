import "./yaml-field.css";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ConfigProblemView } from "../../../../src/protocol/views/config.ts";
import { Untrusted } from "../../parts/untrusted.tsx";
import { markYaml } from "./mark-yaml.ts";

interface Props {
  readonly label: string;
  readonly text: string;
  readonly problems: readonly ConfigProblemView[];
  readonly onChange: (text: string) => void;
}

/** A YAML field: a plain text area over the same text in colors, with line numbers, and problems beside their lines. */
export function YamlField({ label, text, problems, onChange }: Props) {
  const [typed, type] = useTyped(text, onChange);
  const lines = useMemo(() => typed.split("\n").map(markYaml), [typed]);
  const byLine = new Map(problems.map((problem) => [problem.line, problem]));
  return (
    <div className="yaml">
      <div className="yaml-sheet">
        <div className="yaml-lines" aria-hidden="true">
          {lines.map((parts, index) => (
            // A line has no name but its number.
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of lines is their identity
            <div key={index} className={byLine.has(index + 1) ? "yaml-line yaml-line-bad" : "yaml-line"}>
              <span className="yaml-number">{index + 1}</span>
              {parts.map(({ kind, text: part }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no name but its place
                <span key={at} className={`yaml-${kind}`}>
                  {part}
                </span>
              ))}
              <Problem problem={byLine.get(index + 1)} />
            </div>
          ))}
        </div>
        <textarea
          className="yaml-input"
          aria-label={label}
          aria-invalid={problems.length > 0}
          aria-describedby={problems.length > 0 ? "yaml-problems" : undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          wrap="off"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      </div>
    </div>
  );
}

/** The text on screen: the owner's answer to a letter comes later than a fast person's next letter. */
function useTyped(text: string, onChange: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  useLayoutEffect(() => {
    if (text !== sent.current) setTyped(text);
    sent.current = text;
  }, [text]);
  const type = (next: string): void => {
    sent.current = next;
    setTyped(next);
    onChange(next);
  };
  return [typed, type];
}

function Problem({ problem }: { readonly problem: ConfigProblemView | undefined }) {
  if (problem === undefined) return null;
  const hint = problem.hint === null ? "" : ` (${problem.hint})`;
  return <Untrusted className="yaml-problem" text={`${problem.message}${hint}`} />;
}
