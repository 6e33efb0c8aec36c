/** The time during a turn in which a vendor accepts nothing. */
export interface VendorPause {
  /**
   * Starts a pause for a limit until the vendor's time, and returns when it is over. It gave none: null, an impossible
   * time, or past times in a row.
   */
  begin(until: Date | null): Date;
  /** Starts a pause for an outage, and returns when the next try follows; null: it has lasted too long to wait further. */
  beginOutage(): Date | null;
  isPausing(): boolean;
  /** Something else is happening now. */
  end(): void;
  /** A turn finished: the next limit or outage is a new one. */
  forget(): void;
}

const FIRST_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
/** A vendor's clock and ours differ, and the vendor's is the one that counts. */
const MARGIN_MS = 1000;
const FIRST_OUTAGE_MS = 30_000;
const LONGEST_OUTAGE_MS = 8 * 60_000;
/** After this much trying, a person decides. */
export const OUTAGE_MINUTES = 30;
/** A failure that comes later than this after the last try belongs to a new outage: the agent worked in between. */
const NEW_OUTAGE_MS = 5 * 60_000;
/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface Outage {
  readonly since: number;
  readonly tries: number;
  readonly lastTry: number;
}

/** Waits for the end of a limit or an outage; without a time, each wait is twice as long as the last, up to a limit. */
export function createVendorPause(onOver: () => void): VendorPause {
  let timer: NodeJS.Timeout | null = null;
  let unknown = 0;
  let wasPast = false;
  let outage: Outage | null = null;
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const waitFor = (until: Date | null): number => {
    const ahead = (until?.getTime() ?? Number.NaN) - Date.now();
    // A limit that should be over and is not, twice: without longer waits, every try would follow at once.
    const isWrong = wasPast && ahead <= 0;
    if (!Number.isNaN(ahead)) wasPast = ahead <= 0;
    if (!Number.isNaN(ahead) && !isWrong) return Math.max(0, ahead) + MARGIN_MS;
    unknown += 1;
    return Math.min(FIRST_MS * 2 ** (unknown - 1), LONGEST_MS);
  };
  const pauseFor = (waitMs: number): Date => {
    end();
    timer = setTimeout(onOver, Math.min(waitMs, MAX_TIMER_MS));
    return new Date(Date.now() + waitMs);
  };
  return {
    begin: (until) => {
      const next = pauseFor(waitFor(until));
      return until !== null && until.getTime() > Date.now() ? until : next;
    },
    beginOutage: () => {
      end();
      outage = outageAfter(outage, Date.now());
      return outage === null ? null : pauseFor(outage.lastTry - Date.now());
    },
    isPausing: () => timer !== null,
    end,
    forget: () => {
      end();
      unknown = 0;
      wasPast = false;
      outage = null;
    },
  };
}

function outageAfter(before: Outage | null, now: number): Outage | null {
  const isSame = before !== null && now - before.lastTry < NEW_OUTAGE_MS;
  const { since, tries } = isSame ? before : { since: now, tries: 0 };
  if (now - since >= OUTAGE_MINUTES * 60_000) return null;
  const waitMs = Math.min(FIRST_OUTAGE_MS * 2 ** tries, LONGEST_OUTAGE_MS);
  return { since, tries: tries + 1, lastTry: now + waitMs };
}
