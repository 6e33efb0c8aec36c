/** The user's file with a login. */
export interface OwnLogin {
  /** Null: the user has none. */
  readonly digest: string | null;
  readonly changedAt: number;
}

/** What a program in a sandbox made of its copy. */
export interface LoginOffer {
  /** The user's file as it would be with this change; null: nothing to take. */
  readonly digest: string | null;
  readonly changedAt: number;
  /** The user's file when both were last the same; null: there was none. */
  readonly base: string | null;
}

/** A file's time and the clock differ by a little. */
const TOLERANCE_MS = 1000;

/**
 * Which of the offers becomes everybody's login; null: the user's own stays. A change of one side only is the newest login.
 * If both changed, the later one is; a time in the future, which an agent can set, is no argument.
 */
export function chooseLogin(own: OwnLogin, offers: readonly LoginOffer[], now: number): number | null {
  const latest = now + TOLERANCE_MS;
  const timeOf = ({ changedAt }: LoginOffer): number => (changedAt > latest ? Number.NEGATIVE_INFINITY : changedAt);
  let best: number | null = null;
  for (const [index, offer] of offers.entries()) {
    if (offer.digest === null || offer.digest === own.digest) continue;
    const isConflict = own.digest !== null && own.digest !== offer.base;
    if (isConflict && timeOf(offer) <= own.changedAt) continue;
    const other = best === null ? undefined : offers[best];
    if (other === undefined || timeOf(offer) > timeOf(other)) best = index;
  }
  return best;
}
