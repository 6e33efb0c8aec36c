import { z } from "zod";
import { policySettings, readSettings } from "../../kit/settings.ts";

const Settings = z.object({
  ...policySettings,
  /** What people call the agent. */
  name: z.string().min(1).default("The agent"),
  /** One of the modes that the agent offers. */
  mode: z.string().min(1).optional(),
  /** Choices of its permission questions that are not offered to people, by their ids. */
  hide: z.array(z.string()).default([]),
  /** What the tokens in the answer to a prompt count: the conversation, the process, the turn, or nothing of use. */
  usage: z.enum(["conversation", "process", "turn", "none"]).default("conversation"),
  /** The title of a tool call that runs a command is the whole command; other agents say there what it is for. */
  commandInTitle: z.boolean().default(false),
  /** Its turn that ends with words of its own that begin so has failed. */
  errorPrefix: z.string().min(1).optional(),
  /** It answers the request to load a conversation before it has replayed all of it, against the protocol. */
  replaysLate: z.boolean().default(false),
  /** How a person logs in, as a sentence. */
  login: z.string().default("Log in with the agent's own command."),
  /** For each step until prompts can be given. */
  startLimitMs: z.number().int().positive().default(120_000),
});
/** What a plugin hands over for one session. */
export type Settings = z.infer<typeof Settings>;

/** Reads the settings from the command line. */
export function parseSettings(value: unknown): Settings {
  return readSettings(Settings, "the agent", value);
}
