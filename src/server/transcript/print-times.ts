import type { OutputFile, OutputSize } from "../../ports/run-output.ts";

/** When something was printed, as far as it was noticed, for lines that carry no time. */
export interface PrintTimes {
  /** The file of a run as it is now: what is new in it was printed by then. */
  note(run: number, file: OutputFile, size: OutputSize): void;
  at(run: number, file: OutputFile, offset: number): number;
}

/** Beyond this many, the oldest can no longer be told apart. */
const MAX_NOTED = 500;

/** What is found together was printed by the time of the last of it. */
export function createPrintTimes(): PrintTimes {
  const noted: { readonly name: string; readonly end: number; readonly at: number }[] = [];
  return {
    note: (run, file, { bytes, changedAt }) => {
      const name = `${run}/${file}`;
      if (noted.some((one) => one.name === name && one.end >= bytes)) return;
      noted.push({ name, end: bytes, at: changedAt });
      if (noted.length > MAX_NOTED) noted.shift();
    },
    at: (run, file, offset) => noted.find((one) => one.name === `${run}/${file}` && offset < one.end)?.at ?? 0,
  };
}
