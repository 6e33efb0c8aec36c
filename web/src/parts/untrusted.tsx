import { writeOutHidden } from "../../../src/core/hidden-characters.ts";
import { formatClock } from "../lib/time.ts";

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

interface Props {
  readonly text: string;
  readonly className?: string;
}

/**
 * Text from agents, git and people, on one line with the full text in the tooltip; hidden and direction-changing
 * characters are made visible.
 */
export function Untrusted({ text, className = "" }: Props) {
  const line = toLine(text);
  return (
    <bdi className={`one-line ${className}`} title={line}>
      {line}
    </bdi>
  );
}

/** The same over several lines. */
export function UntrustedBlock({ text, className }: Props) {
  return <bdi className={className}>{writeOutHidden(text)}</bdi>;
}

/** A phrase from the daemon, on one line: text in backticks is code, and times are local. */
export function Phrase({ text, className = "" }: Props) {
  const line = toLine(text).replace(INSTANT, (instant) => formatClock(instant));
  const parts = splitCode(line);
  return (
    <bdi className={`one-line ${className}`} title={line.replaceAll("`", "")}>
      {parts.map(({ text: part, isCode, at }) => (isCode ? <code key={at}>{part}</code> : part))}
    </bdi>
  );
}

interface Part {
  readonly text: string;
  readonly isCode: boolean;
  /** Where it starts. */
  readonly at: number;
}

/** The parts of a phrase; a backtick without its pair is an ordinary character. */
export function splitCode(text: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isCode: false, at: end });
    parts.push({ text: match[1] ?? "", isCode: true, at: match.index });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isCode: false, at: end });
  return parts;
}

function toLine(text: string): string {
  return writeOutHidden(text)
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ");
}
