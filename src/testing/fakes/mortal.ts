import type { Host } from "../../ports/host.ts";
import { mapMethods } from "./scripted.ts";

/** Thrown where a fault point kills the daemon; the daemon can do nothing after it. */
export class Killed extends Error {
  constructor(place: string) {
    super(`killed at ${place}`);
    this.name = "Killed";
  }
}

/** The life of one daemon, as seen from outside. */
export interface Mortal {
  /** Called at every place where it can be killed; throws if it is. */
  pass(place: string): void;
  kill(place: string): void;
  isDead(): boolean;
  /** Resolves when it dies. */
  readonly died: Promise<void>;
  /** A port held by this daemon: after its death no call does anything, and no answer arrives. */
  hold<T extends object>(name: string, port: T): T;
  holdHost(host: Host): Host;
}

/** `killAt` decides at which place the daemon dies; it is called once per place, in order. */
export function createMortal(killAt: (place: string) => boolean = () => false): Mortal {
  let dead = false;
  let announce = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const kill = (): void => {
    dead = true;
    announce();
  };
  const strike = (place: string): boolean => {
    if (!dead && killAt(place)) kill();
    return dead;
  };
  const guard = (place: string, work: () => unknown): unknown => {
    if (dead) return never;
    const answer = work();
    if (!(answer instanceof Promise)) return answer;
    const arrive = (): boolean => !strike(`${place}:after`);
    return answer.then(
      (value) => (arrive() ? value : never),
      (error) => (arrive() ? Promise.reject(error) : never),
    );
  };
  const hold: Mortal["hold"] = (name, port) =>
    mapMethods(
      port,
      (method, work) =>
        (...args) =>
          guard(`${name}.${method}`, () => work(...args)),
    );
  const ifAlive =
    <A extends readonly unknown[]>(callback: (...args: A) => void) =>
    (...args: A): void => {
      if (!dead) callback(...args);
    };
  return {
    died,
    kill,
    isDead: () => dead,
    pass: (place) => {
      const wasAlive = !dead;
      if (strike(place) && wasAlive) throw new Killed(place);
    },
    hold,
    holdHost: (host) => ({
      ...host,
      exec: (request) => guard("exec", () => host.exec(request)) as ReturnType<Host["exec"]>,
      fs: {
        ...hold("fs", host.fs),
        watch: (path, onChange) => (dead ? () => undefined : host.fs.watch(path, ifAlive(onChange))),
      },
      processes: hold("processes", host.processes),
      clock: {
        now: host.clock.now,
        after: (ms, callback) => (dead ? () => undefined : host.clock.after(ms, ifAlive(callback))),
      },
    }),
  };
}
