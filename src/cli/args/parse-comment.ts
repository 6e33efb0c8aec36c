import { misuse } from "./usage-error.ts";

export interface LineComment {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Parses `src/login.ts:12:This may be null` into a comment on that line. */
export function parseComment(written: string): LineComment {
  const match = /^(.+?):(\d+):(.+)$/s.exec(written);
  const line = Number(match?.[2]);
  const text = match?.[3]?.trim() ?? "";
  if (match?.[1] === undefined || line < 1 || text === "") {
    throw misuse(
      `--comment is not FILE:LINE:TEXT: ${JSON.stringify(written.slice(0, 80))}`,
      "--comment src/a.ts:12:text",
    );
  }
  return { path: match[1], line, text };
}
