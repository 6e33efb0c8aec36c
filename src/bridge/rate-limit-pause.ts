/** The time during a turn in which a vendor accepts nothing. */
export interface RateLimitPause {
  /** Starts a pause until the vendor's time; null or an impossible time: the vendor gave none. */
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
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const waitFor = (until: Date | null): number => {
    const at = until?.getTime() ?? Number.NaN;
    if (!Number.isNaN(at)) return Math.min(Math.max(0, at - Date.now()) + MARGIN_MS, 2 ** 31 - 1);
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
    },
  };
}
