import { writeOutHidden } from "../../core/hidden-characters.ts";
import type { Notice } from "../../ports/notifier.ts";

/** A notice as the parts of a chat message: plain text without hidden characters, within the service's limits. */
export interface NoticeParts {
  readonly title: string;
  readonly text: string;
  /** The command that resolves it. */
  readonly act: string | null;
  /** `web / web-1`; empty for a notice about the whole fleet. */
  readonly origin: string;
}

export interface PartLimits {
  readonly title: number;
  readonly text: number;
}

const MAX_ACT = 200;

/** The parts of a notice. */
export function partsOf(notice: Notice, limits: PartLimits): NoticeParts {
  const { title, text, key, act, projectId, sessionId } = notice;
  const line = cut(
    writeOutHidden(title)
      .replaceAll(/[\n\t]/g, " ")
      .trim(),
    limits.title,
  );
  return {
    title: line === "" ? key : line,
    text: cut(writeOutHidden(text.replaceAll(/\r\n?/g, "\n")).trim(), limits.text),
    act: act === null ? null : cut(writeOutHidden(act), MAX_ACT),
    origin: [projectId, sessionId].filter((name) => name !== null).join(" / "),
  };
}

/** At most `limit` characters, without splitting one. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 2)) ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}
