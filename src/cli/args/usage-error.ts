import { AoError } from "../../core/errors.ts";

/** An error in the command line itself: exit code 2. */
export function misuse(message: string, hint: string): AoError {
  return new AoError({ code: "usage", message, hint });
}

/** The command line uses something planned for a later version. */
export function notYet(what: string, hint?: string): AoError {
  return new AoError({ code: "unsupported", message: `${what} is not in this version`, hint });
}

/** `did you mean "x"?` if one of the candidates is close. */
export async function didYouMean(word: string, candidates: readonly string[]): Promise<string | undefined> {
  // Loaded only after a mistake.
  const { nearest } = await import("../../config/did-you-mean.ts");
  const near = nearest(word, candidates);
  return near === null ? undefined : `did you mean "${near}"?`;
}
