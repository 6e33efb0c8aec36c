import { readFileSync } from "node:fs";
import { type Fleet, processesOf } from "../support/fleet.ts";
import { listOrphans } from "../support/judge-leftovers.ts";
import { findHolders } from "../support/victims.ts";

export type Victim = "daemon" | "agent" | "holder" | "check" | "tmux";

export interface Strike {
  readonly kind: Victim;
  /** The commit that a killed check was about. */
  readonly commit: string | null;
}

/** Kills the daemon, an agent, a holder, a check or the tmux server, whoever of them lives; null: the victim was quicker. */
export async function strike(fleet: Fleet, random: () => number): Promise<Strike | null> {
  const candidates = findVictims(fleet);
  const kind = chooseKind(candidates, random);
  const pid = candidates[kind][Math.floor(random() * candidates[kind].length)] ?? 0;
  if (kind === "daemon") {
    if (!fleet.isUp()) return null;
    await fleet.kill();
    return { kind, commit: null };
  }
  const commit = kind === "check" ? variableOf(pid, "AO_COMMIT") : null;
  try {
    process.kill(pid, "SIGKILL");
    return { kind, commit };
  } catch {
    return null;
  }
}

function chooseKind(candidates: Record<Victim, readonly number[]>, random: () => number): Victim {
  // A check lives for a moment only; whenever there is one, it is half of the choice.
  if (candidates.check.length > 0 && random() < 0.5) return "check";
  const kinds = (Object.keys(candidates) as Victim[]).filter((kind) => candidates[kind].length > 0);
  return kinds[Math.floor(random() * kinds.length)] ?? "daemon";
}

function findVictims(fleet: Fleet): Record<Victim, readonly number[]> {
  const all = listOrphans(fleet.dir, fleet.home);
  const matching = (pattern: RegExp): readonly number[] =>
    all.filter(({ command }) => pattern.test(command)).map(({ pid }) => pid);
  const agents = new Set(processesOf(fleet.home));
  return {
    daemon: fleet.isUp() ? [fleet.daemonPid()] : [],
    // Not the programs that an agent runs: a git that is killed leaves its lock in the agent's way.
    agent: matching(/diary-rehearsal\.mjs/).filter((pid) => agents.has(pid) && !findHolders(fleet.home).includes(pid)),
    holder: matching(/holder\.sh/),
    check: matching(/^sh (-c sh )?check\.sh/),
    tmux: matching(/^tmux .*-S/),
  };
}

function variableOf(pid: number, name: string): string | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  } catch {
    return null;
  }
}
