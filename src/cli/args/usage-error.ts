import { AoError } from "../../core/errors.ts";

/** The command line itself is wrong: exit code 2. */
export function misuse(message: string, hint: string): AoError {
  return new AoError({ code: "usage", message, hint });
}

/** The command line names something that a later version brings. */
export function notYet(what: string, hint?: string): AoError {
  return new AoError({ code: "unsupported", message: `${what} is not in this version`, hint });
}

/** `did you mean "x"?` when one of the candidates is near. */
export async function didYouMean(word: string, candidates: readonly string[]): Promise<string | undefined> {
  // Only a mistake pays for loading this.
  const { nearest } = await import("../../config/did-you-mean.ts");
  const near = nearest(word, candidates);
  return near === null ? undefined : `did you mean "${near}"?`;
}
