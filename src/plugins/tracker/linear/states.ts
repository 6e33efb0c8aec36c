import { z } from "zod";
import { PluginError } from "../../../core/errors.ts";
import { TEAMS } from "./queries.ts";
import { type Access, teamFilter } from "./read.ts";
import { State } from "./record.ts";

const Teams = z.object({
  teams: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        key: z.string(),
        name: z.string(),
        states: z.object({ nodes: z.array(State) }),
      }),
    ),
  }),
});

export type Team = z.infer<typeof Teams>["teams"]["nodes"][number];

/** The teams visible to the key; only the configured one if there is one. */
export async function readTeams({ client }: Access, teamId: string | undefined): Promise<readonly Team[]> {
  const filter = teamId === undefined ? {} : teamFilter(teamId);
  return (await client.ask({ query: TEAMS, variables: { filter }, answer: Teams })).teams.nodes;
}

/** The team for new issues. */
export async function findTeam(access: Access): Promise<Team> {
  const { teamId } = access.config;
  const teams = await readTeams(access, teamId);
  const [team] = teams;
  if (team !== undefined && (teamId !== undefined || teams.length === 1)) return team;
  const keys = teams.map(({ key }) => key).join(", ");
  throw new PluginError({
    plugin: "linear",
    category: "config",
    message: teamId === undefined ? `Which team gets the issue? There are ${keys}.` : `Linear has no team ${teamId}.`,
    hint: "Set its key or id: tracker: { plugin: linear, teamId: ENG }.",
  });
}

const DEFAULT_KINDS = { open: ["unstarted", "backlog", "triage"], closed: ["completed"], working: [], review: [] };

/** The team's state for a purpose: the configured one, else the first one of its kind. */
export async function stateFor(access: Access, teamId: string, wanted: keyof typeof DEFAULT_KINDS): Promise<State> {
  const [team] = await readTeams(access, teamId);
  const states = [...(team?.states.nodes ?? [])].sort((a, b) => a.position - b.position);
  const name = access.config.states[wanted];
  const kinds: readonly string[] = DEFAULT_KINDS[wanted];
  const found =
    name === undefined
      ? kinds.flatMap((kind) => states.filter(({ type }) => type === kind))[0]
      : states.find((state) => state.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  throw new PluginError({
    plugin: "linear",
    category: "config",
    message: `Team ${team?.key ?? teamId} has no state ${name ?? `of the kind ${kinds.join(" or ")}`}.`,
    hint: `It has ${states.map((state) => state.name).join(", ")}. Set \`states.${wanted}\` of the tracker.`,
  });
}
