import { spawnSync } from "node:child_process";
import type { Fleet } from "../support/fleet.ts";
import { listOrphans, variableOf } from "../support/judge-leftovers.ts";

/** The kill of a tmux server needs one. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export type Victim = "daemon" | "agent" | "holder" | "check" | "tmux";

export interface Strike {
  readonly kind: Victim;
  /** The commit that a killed check was about. */
  readonly commit: string | null;
}

/** An endless list of victims: each kind in random order, the daemon twice as often. */
export function* chooseVictims(random: () => number): Generator<Victim, never> {
  const all: readonly Victim[] = [
    "daemon",
    "daemon",
    "agent",
    "holder",
    "check",
    ...(hasTmux ? ["tmux" as const] : []),
  ];
  for (;;) {
    const order = all.map((kind) => ({ kind, at: random() })).sort((one, other) => one.at - other.at);
    for (const { kind } of order) yield kind;
  }
}

/** Kills one process of a kind; null: none of that kind is alive. */
export async function strike(fleet: Fleet, kind: Victim, random: () => number): Promise<Strike | null> {
  if (kind === "daemon") {
    if (!fleet.isUp()) return null;
    await fleet.kill();
    return { kind, commit: null };
  }
  const candidates = findVictims(fleet, kind);
  const pid = candidates[Math.floor(random() * candidates.length)];
  if (pid === undefined) return null;
  const commit = kind === "check" ? variableOf(pid, "AO_COMMIT") : null;
  try {
    process.kill(pid, "SIGKILL");
    return { kind, commit };
  } catch {
    return null;
  }
}

// Only the agent itself, not its programs: a killed git leaves a lock that blocks the agent.
const COMMANDS: Readonly<Record<Exclude<Victim, "daemon">, RegExp>> = {
  agent: /^(\S*\/)?node \S*diary-rehearsal\.mjs/,
  holder: /holder\.sh/,
  check: /^sh (-c sh )?(check|setup)\.sh/,
  tmux: /^tmux .*-S/,
};

/** Live processes of this kind. */
export function findVictims(fleet: Fleet, kind: Exclude<Victim, "daemon">): readonly number[] {
  return listOrphans(fleet.dir, fleet.home)
    .filter(({ command }) => COMMANDS[kind].test(command))
    .map(({ pid }) => pid);
}
