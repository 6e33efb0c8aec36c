/** Poll intervals during activity and after a quiet period; each quiet poll doubles the pause. */
export const BUSY_MS = 10_000;
export const QUIET_MS = 60_000;
/** With working webhooks, polling only makes up for lost deliveries. */
export const SAFETY_MS = 30 * 60_000;
/** A forge that has delivered nothing for this long may have lost the webhook. */
const TRUST_MS = 24 * 60 * 60_000;
/** How early a delivery can arrive before our own action is recorded: a forge reports before it answers. */
const EARLY_MS = 5000;
/** No daemon gets deliveries from more repositories than this. */
const MAX_REPOSITORIES = 1000;

/** The result of reading all pull requests of a project. */
export interface Polled {
  /** Something has happened to them. */
  readonly isNews: boolean;
  readonly hasFailed: boolean;
  /** Webhooks would report what happens next. */
  readonly isTrusted: boolean;
}

/** How long to wait before reading them again, after a pause of `pauseMs`. */
export function nextPause(pauseMs: number, { isNews, hasFailed, isTrusted }: Polled): number {
  if (hasFailed || (!isNews && !isTrusted)) return Math.min(QUIET_MS, pauseMs * 2);
  return isNews ? BUSY_MS : SAFETY_MS;
}

/** Which repositories have working webhooks. */
export interface Trust {
  /** A repository delivered something. */
  heard(repository: string): void;
  /** `ao` did something to a pull request: until its repository reports that, the webhook may be broken. */
  acted(page: string): void;
  /** A poll that started at `since` found something that no delivery had reported. */
  missed(page: string, since: number): void;
  /** Would the forge report what happens to a pull request, by its page? */
  covers(page: string): boolean;
}

/** Starts without trust: after a restart each repository has to deliver something first. */
export function createTrust(now: () => number): Trust {
  const deliveredAt = new Map<string, number>();
  const actedAt = new Map<string, number>();
  const repositoryOf = (page: string): string =>
    [...deliveredAt.keys()].find((repository) => page.startsWith(repository)) ?? "";
  const forget = (repository: string): void => {
    deliveredAt.delete(repository);
    actedAt.delete(repository);
  };
  return {
    heard: (repository) => {
      const key = `${repository.replace(/\/+$/, "")}/`;
      // The oldest one comes first.
      deliveredAt.delete(key);
      deliveredAt.set(key, now());
      const [oldest] = deliveredAt.keys();
      if (deliveredAt.size > MAX_REPOSITORIES && oldest !== undefined) forget(oldest);
    },
    acted: (page) => {
      const key = repositoryOf(page);
      if (key !== "") actedAt.set(key, now());
    },
    missed: (page, since) => {
      const key = repositoryOf(page);
      // The delivery may have come during the poll.
      if ((deliveredAt.get(key) ?? 0) < since) forget(key);
    },
    covers: (page) => {
      const key = repositoryOf(page);
      const at = deliveredAt.get(key) ?? Number.NEGATIVE_INFINITY;
      return at > now() - TRUST_MS && at >= (actedAt.get(key) ?? 0) - EARLY_MS;
    },
  };
}
