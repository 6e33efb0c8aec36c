import { z } from "zod";
import { policySettings, readSettings } from "../../kit/settings.ts";

const Settings = z.object({
  ...policySettings,
  /** What people call the agent. */
  name: z.string().min(1).default("The agent"),
  /** One of the modes that the agent offers. */
  mode: z.string().min(1).optional(),
  /** The policy relies on the mode: without it the agent does not start. */
  isModeRequired: z.boolean().default(false),
  /** Values of the agent's own options, by id, that must hold if it has the option. */
  options: z.record(z.string(), z.string()).default({}),
  /** Ids of choices in permission questions that people are not offered. */
  hide: z.array(z.string()).default([]),
  /** Defaults of the agent's own settings, in a file that a variable names; the user's settings win. */
  defaults: z
    .object({
      variable: z.string().min(1),
      /** The machine's own file of this kind: it is not replaced. */
      own: z.array(z.string()).default([]),
      content: z.record(z.string(), z.unknown()),
    })
    .optional(),
  /** What the tokens in the answer to a prompt cover: the conversation, the process, the turn, or nothing useful. */
  usage: z.enum(["conversation", "process", "turn", "none"]).default("conversation"),
  /** The title of a tool call that runs a command is the whole command; for other agents the title is its purpose. */
  commandInTitle: z.boolean().default(false),
  /** A turn whose last message starts with this has failed. */
  errorPrefix: z.string().min(1).optional(),
  /** Contrary to the protocol, it answers the request to load a conversation before it has replayed all of it. */
  replaysLate: z.boolean().default(false),
  /** How a person logs in, as a sentence. */
  login: z.string().default("Log in with the agent's own command."),
  /** For each step until prompts are accepted. */
  startLimitMs: z.number().int().positive().default(120_000),
});
/** What a plugin passes for one session. */
export type Settings = z.infer<typeof Settings>;

/** Parses the settings from the command line. */
export function parseSettings(value: unknown): Settings {
  return readSettings(Settings, "the agent", value);
}
