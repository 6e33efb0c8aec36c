import { z } from "zod";
import { isBranchName } from "../../core/branch-name.ts";
import { MAIN_GUARDS } from "../../core/policy.ts";
import { FIGURES } from "../figures.ts";
import { key } from "./key.ts";
import { ProjectLimits } from "./limits.ts";
import { AgentConfig, PluginRef } from "./plugin-ref.ts";
import { Check, Policies, Train } from "./policy.ts";
import { Reactions } from "./reaction.ts";
import { TextOrList } from "./scalar.ts";
import { Trust } from "./trust.ts";

const PREFIX_MESSAGE = "expected letters, digits, - and _ only";

/** The author of commits. */
const GitIdentity = z.union(
  [
    z.enum(["agent", "user"]),
    z.strictObject({
      name: z.string().min(1).describe("Name in commits."),
      email: z.string().min(1).describe("Address in commits."),
    }),
  ],
  { error: "expected agent, user, or an object with name and email" },
);

const EnvValue = z.union([z.string(), z.number(), z.boolean()], { error: "expected a text; quote it" });

const Project = z
  .strictObject({
    name: key(z.string().min(1), "Display name; default: the id."),
    repo: key(z.string().min(1), "owner/name on the forge, or a URL; used by plugins on GitHub and GitLab."),
    path: key(z.string().min(1), "Main checkout; ~ is your home folder, relative paths start at this file."),
    defaultBranch: key(
      z.string().min(1).refine(isBranchName, "not a valid branch name"),
      "Branch that work starts from and merges into; default: the repository's own.",
    ),
    sessionPrefix: key(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, PREFIX_MESSAGE),
      "Prefix of session ids; default: the project's id.",
    ),
    runtime: key(PluginRef, "Where agents run, instead of defaults.runtime."),
    agent: key(PluginRef, "Which agent works, instead of defaults.agent."),
    workspace: key(PluginRef, "How checkouts are made, instead of defaults.workspace."),
    tracker: key(PluginRef, "Where issues are, instead of defaults.tracker."),
    scm: key(PluginRef, "Where pull requests are, instead of defaults.scm."),
    env: key(
      z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected a name of letters, digits and _"), EnvValue),
      "Environment of the project's agents, checks, hooks, postCreate and preRemove.",
    ),
    agentConfig: key(AgentConfig, "Settings of the agent."),
    agentRules: key(z.string(), "Rules for every agent of the project."),
    agentRulesFile: key(z.string().min(1), "File with such rules, relative to the project."),
    symlinks: key(z.array(z.string().min(1)), "Files and folders of the main checkout that each workspace links to."),
    postCreate: key(TextOrList, "Commands to run in a new workspace."),
    preRemove: key(TextOrList, "Commands to run before a workspace is removed."),
    worktreeDir: key(z.string().min(1), "Where workspaces go; <path>/.worktrees when absent."),
    gitIdentity: key(GitIdentity, "Author of commits: agent, user, or an object with name and email.", "user"),
    openPullRequest: key(
      z.enum(["auto", "agent"]),
      "auto: ao opens it when a turn ends with new commits; agent: the agent does.",
      "auto",
    ),
    checks: key(z.record(z.string().min(1), Check), "Checks of the local forge; detected when absent."),
    reactions: key(Reactions, "Reactions of this project; they override the global ones."),
    policies: key(Policies, "What a merge needs here; overrides the global policies."),
    mainGuard: key(
      z.enum(MAIN_GUARDS),
      "When a check with on: [main] fails after a merge. off: do not run them; notify: find the merge that broke it; auto: also revert it and send it back to its agent.",
      FIGURES.mainGuard,
    ),
    trust: key(Trust, "Whose words reach agents here, instead of the global trust."),
    train: key(Train, "The merge train of the local forge."),
    limits: key(ProjectLimits, "Limits of this project."),
  })
  .meta({ id: "Project" });

/** Projects by id. */
export const Projects = z.record(
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "expected a project id of letters, digits, dots, - and _")
    .max(64, "expected a project id of at most 64 characters"),
  Project,
);
