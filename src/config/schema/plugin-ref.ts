import { z } from "zod";
import { isHostPattern } from "../../core/host-list.ts";
import { isPlace, NETWORK_CHOICES } from "../../core/sandbox.ts";
import { key } from "./key.ts";

const EXPECTED_REF = "expected the name of a plugin, or an object with `plugin` and its settings";

/** A plugin with its settings, which the plugin itself validates. */
const PluginObject = z
  .looseObject({ plugin: z.string().min(1).describe("Name of the plugin.") })
  .meta({ id: "PluginObject" });

/** A reference to a plugin: a name, or an object with its settings. */
export const PluginRef = z.union([z.string().min(1), PluginObject], { error: EXPECTED_REF }).meta({ id: "PluginRef" });

const PermissionLevel = z.enum(["ask", "edits", "all", "default", "suggest", "auto-edit", "permissionless", "skip"]);

const Hosts = z.array(z.string().refine(isHostPattern, NETWORK_CHOICES)).min(1);

/** Hosts and paths that a sandbox allows. */
const Network = z.union([z.enum(["all"]), z.enum(["none"]), Hosts], { error: NETWORK_CHOICES });
const Places = z.array(z.string().refine(isPlace, "expected a path from / or ~/"));
const NETWORK_MEANS =
  "all: as outside; none: no network at all; a list: only these hosts, by HTTP and HTTPS through ao's proxy (name, *.name or address).";

const SandboxObject = z
  .strictObject({
    plugin: z.enum(["bubblewrap"]).describe("Program that confines the agent."),
    network: key(Network, NETWORK_MEANS, "all"),
    writable: key(Places, "Additional folders and files it may write to, such as ~/.npm."),
  })
  .meta({ id: "Sandbox" });

/** What keeps an agent from writing outside its workspace. */
const Sandbox = z.union([z.enum(["none", "bubblewrap"]), SandboxObject], {
  error: "expected none, bubblewrap, or an object with `plugin: bubblewrap`",
});

/** Where a check runs. */
export const CheckSandbox = z.union(
  [
    z.enum(["inherit", "none"]),
    z.strictObject({
      network: key(Network, `${NETWORK_MEANS} Default: as the session.`),
      writable: key(Places, "Additional folders and files it may write to. Default: as the session."),
    }),
  ],
  { error: "expected inherit, none, or an object with network and writable" },
);

/** Settings of the agent; a plugin may accept more. */
export const AgentConfig = z
  .looseObject({
    model: key(z.string(), "Model that the agent uses."),
    permissions: key(
      PermissionLevel,
      "What the agent may do without asking: ask, edits or all (default, suggest, auto-edit, permissionless and skip are accepted too).",
      "ask",
    ),
    allow: key(
      z.array(z.string().min(1)),
      "Allowed without asking: commands (npm test; git status * with any arguments) and paths (./src/**).",
    ),
    ask: key(z.array(z.string().min(1)), "Always asked about, overrides allow and permissions: commands and paths."),
    deny: key(z.array(z.string().min(1)), "Always denied, overrides ask and allow: commands and paths."),
    command: key(
      z
        .array(z.string({ error: "expected a text; quote it" }), { error: "expected a list: [program, argument, ...]" })
        .min(1),
      "Program and arguments, for the agent `command`.",
    ),
    protocol: key(
      z.enum(["lines", "oneshot"]),
      "How ao talks to the program: lines (one process, JSON lines) or oneshot (one process per message).",
      "lines",
    ),
    sandbox: key(
      Sandbox,
      "bubblewrap: it writes only to its workspace, git's folders, its own settings and a temporary folder.",
      "none",
    ),
    interface: key(
      z.enum(["terminal", "structured"]),
      "terminal (the agent's own, under tmux) or structured (everywhere else).",
    ),
  })
  .meta({ id: "AgentConfig" });

/** An external plugin: an npm package or a path. */
export const ExternalPlugin = z
  .union(
    [
      z.string().min(1),
      z.strictObject({
        name: key(z.string(), "Name under which it is used."),
        package: key(z.string(), "npm package."),
        path: key(z.string(), "Folder or file, relative to this file."),
        version: key(z.string(), "Version of the npm package."),
        enabled: key(z.boolean(), "Set to false to keep it listed but not loaded.", true),
      }),
    ],
    { error: "expected a package name, a path, or an object with `package` or `path`" },
  )
  .meta({ id: "ExternalPlugin" });
