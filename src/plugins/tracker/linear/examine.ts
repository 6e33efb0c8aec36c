import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import type { Tracker } from "../../../ports/tracker.ts";
import { findToken, TOKEN_VARIABLE } from "../../../providers/linear/client.ts";
import { VIEWER } from "./queries.ts";
import type { Access } from "./read.ts";
import { readTeams, type Team } from "./states.ts";

const Viewer = z.object({ viewer: z.object({ displayName: z.string() }) });

type Finding = Awaited<ReturnType<NonNullable<Tracker["examine"]>>>;

/** Does the key work, does the team exist, and does its workflow have the configured states? */
export async function examineAccess(host: Host, access: Access): Promise<Finding> {
  const { teamId } = access.config;
  if (findToken(host) === null) {
    const fix = `Create a key at https://linear.app/settings/account/security, set ${TOKEN_VARIABLE}, and run \`ao start\`.`;
    return { state: "fail", text: `no ${TOKEN_VARIABLE}`, fix };
  }
  try {
    const { viewer } = await access.client.ask({ query: VIEWER, answer: Viewer });
    const teams = await readTeams(access, teamId);
    const source = `as ${viewer.displayName}, key of ${TOKEN_VARIABLE}`;
    if (teams.length === 0) {
      const text = teamId === undefined ? `no team, ${source}` : `Linear has no team ${teamId}, ${source}`;
      return { state: "fail", text, fix: "Set `teamId` to the key of a team that the account is in, such as ENG." };
    }
    const missing = missingState(access, teams);
    if (missing !== null) return missing;
    const keys = teams.map(({ key }) => key).join(", ");
    return { state: "ok", text: `${teams.length === 1 ? "team" : "teams"} ${keys} ${source}`, fix: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return { state: "fail", text: error.message, fix: error.hint ?? null };
  }
}

function missingState({ config }: Access, teams: readonly Team[]): Finding | null {
  for (const { key, states } of teams) {
    const names = states.nodes.map(({ name }) => name);
    const known = names.map((name) => name.toLowerCase());
    const missing = Object.values(config.states).find(
      (name) => name !== undefined && !known.includes(name.toLowerCase()),
    );
    if (missing === undefined) continue;
    const fix = `Change \`states\` of the tracker; the team has ${names.join(", ")}.`;
    return { state: "fail", text: `team ${key} has no state ${missing}`, fix };
  }
  return null;
}
