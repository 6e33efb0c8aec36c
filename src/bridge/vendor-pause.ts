/** The time during a turn in which a vendor accepts nothing. */
export interface RateLimitPause {
  /** Starts a pause until the vendor's time. It gave none: null, an impossible time, or past times in a row. */
  begin(until: Date | null): void;
  isPausing(): boolean;
  /** Something else is happening now. */
  end(): void;
  /** A turn finished: the next limit is a new one. */
  forget(): void;
}

const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** A vendor's clock and ours differ, and the vendor's is the one that counts. */
const MARGIN_MS = 1000;

/** Waits for the end of a limit; without a time, each wait is twice as long as the last, up to half an hour. */
export function createRateLimitPause(onOver: () => void): RateLimitPause {
  let timer: NodeJS.Timeout | null = null;
  let unknown = 0;
  let wasPast = false;
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const waitFor = (until: Date | null): number => {
    const ahead = (until?.getTime() ?? Number.NaN) - Date.now();
    // A limit that should be over and is not, twice: without longer waits, every try would follow at once.
    const isWrong = wasPast && ahead <= 0;
    if (!Number.isNaN(ahead)) wasPast = ahead <= 0;
    if (!Number.isNaN(ahead) && !isWrong) return Math.min(Math.max(0, ahead) + MARGIN_MS, 2 ** 31 - 1);
    unknown += 1;
    return Math.min(FIRST_MS * 2 ** (unknown - 1), LONGEST_MS);
  };
  return {
    begin: (until) => {
      end();
      timer = setTimeout(onOver, waitFor(until));
    },
    isPausing: () => timer !== null,
    end,
    forget: () => {
      end();
      unknown = 0;
      wasPast = false;
    },
  };
}
