import type { OutputFile, OutputSize } from "../../ports/run-output.ts";

/** When errors were printed, as far as it was noticed: their lines carry no time. */
export interface ErrorTimes {
  /** The file of a run as it is now: what is new in it was printed by then. */
  note(run: number, file: OutputFile, size: OutputSize): void;
  at(run: number, offset: number): number;
}

/** More than this and the oldest are told apart no longer. */
const MAX_NOTED = 500;

/** Errors that are found together were printed by the time of the last of them. */
export function createErrorTimes(): ErrorTimes {
  const noted: { readonly run: number; readonly end: number; readonly at: number }[] = [];
  return {
    note: (run, file, { bytes, changedAt }) => {
      if (file !== "err") return;
      const isKnown = noted.some((one) => one.run === run && one.end >= bytes);
      if (!isKnown) noted.push({ run, end: bytes, at: changedAt });
      if (noted.length > MAX_NOTED) noted.shift();
    },
    at: (run, offset) => noted.find((one) => one.run === run && offset < one.end)?.at ?? 0,
  };
}
