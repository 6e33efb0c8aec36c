import { join } from "node:path";
import { z } from "zod";
import type { AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";

const Known = z.looseObject({
  hasCompletedOnboarding: z.boolean().catch(false),
  customApiKeyResponses: z.looseObject({ approved: z.array(z.string()).catch([]) }).catch({ approved: [] }),
  projects: z.record(z.string(), z.looseObject({ hasTrustDialogAccepted: z.boolean().catch(false) })).catch({}),
});

/** How many characters the program stores of an approved key. */
const KEY_END = 20;

export interface FirstSteps {
  /** The main repository: trusting it covers its worktrees. */
  readonly repository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * What the program's own interface would ask a person first: the introduction, trusting the repository, using a key.
 * These are the user's decisions, so they are only checked.
 */
export async function checkFirstSteps(host: Host, steps: FirstSteps): Promise<AgentProblem | null> {
  const { repository, environment } = steps;
  const path = join(environment["CLAUDE_CONFIG_DIR"] || (environment["HOME"] ?? ""), ".claude.json");
  const known = parse(await host.fs.readText(path));
  const real = (await host.fs.realPath(repository)) ?? repository;
  const key = environment["ANTHROPIC_API_KEY"];
  if (known?.hasCompletedOnboarding !== true) return ask("Claude Code was never run in a terminal here", real);
  // Trust in a parent folder does not count.
  if (known.projects[real]?.hasTrustDialogAccepted !== true) return ask(`Claude Code does not trust ${real} yet`, real);
  const isAsked = key && !environment["ANTHROPIC_AUTH_TOKEN"];
  if (isAsked && !known.customApiKeyResponses.approved.includes(key.slice(-KEY_END))) {
    return ask("Claude Code has not been allowed to use this ANTHROPIC_API_KEY in a terminal", real);
  }
  return null;
}

function ask(what: string, repository: string): AgentProblem {
  return {
    code: "unsupported",
    message: `${what}.`,
    hint: `Run \`claude\` once in ${repository} and answer its questions, or use \`runtime: process\`.`,
  };
}

function parse(text: string | null): z.infer<typeof Known> | null {
  try {
    return text === null ? null : (Known.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}
