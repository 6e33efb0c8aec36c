import { isRunOver } from "../../../core/session/state.ts";
import type { Kernel } from "../../kernel.ts";

/**
 * How often the logins of sandboxed programs are compared with the user's. Looked at rather than watched: an agent decides
 * how often something changes in its folder, and must not decide how busy the daemon is.
 */
const ROUND_MS = 500;

/** Compares the logins while the daemon runs; returns a function that stops it. */
export function keepLogins({ host, engine, logins }: Kernel): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;
  const isRunning = (sessionId: string): boolean => {
    const session = engine.loop.world.view.session(sessionId);
    return session !== undefined && !isRunOver(session.run);
  };
  const round = (): void => {
    logins
      .round(isRunning)
      .catch((error: unknown) => host.log.warn("logins were not compared", { reason: String(error) }))
      .finally(() => {
        if (!isStopped) cancel = host.clock.after(ROUND_MS, round);
      });
  };
  round();
  return () => {
    isStopped = true;
    cancel();
  };
}
