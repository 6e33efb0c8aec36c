import { z } from "zod";
import { HOOK_POINTS } from "../../core/hook/hook.ts";
import { FIGURES } from "../figures.ts";
import { key } from "./key.ts";
import { PluginRef } from "./plugin-ref.ts";
import { Duration, DurationOrNever, formatDuration } from "./scalar.ts";

/** Defaults for all projects. */
export const Defaults = z
  .strictObject({
    runtime: key(PluginRef, "Where agents run: process (headless) or tmux (a terminal you can attach to).", "process"),
    agent: key(PluginRef, "Which agent works."),
    workspace: key(PluginRef, "How checkouts are made.", "worktree"),
    tracker: key(PluginRef, "Where issues are.", "local"),
    scm: key(PluginRef, "Where pull requests are.", "local"),
    notifiers: key(
      z.array(z.string()),
      "Notifiers to use, by name. Without this key and notificationRouting, urgent notifications go to the desktop if there is one; [] turns them off.",
    ),
    terminal: key(PluginRef, "How terminals are opened."),
  })
  .meta({ id: "Defaults" });

/** Notifiers by name; without `plugin`, the name is the plugin. */
export const Notifiers = z.record(
  z.string().min(1),
  z.looseObject({ plugin: key(z.string().min(1), "Name of the plugin; the key itself when absent.") }),
);

const names = z.array(z.string());

export const NotificationRouting = z.strictObject({
  urgent: key(names, "Notifiers for urgent notifications."),
  action: key(names, "Notifiers for things that need a person."),
  warning: key(names, "Notifiers for warnings."),
  info: key(names, "Notifiers for everything else."),
});

const HookObject = z.strictObject({
  run: key(z.string().min(1), "Command."),
  module: key(z.string().min(1), "Instead of a command: a JavaScript file, relative to this file, or an npm package."),
  timeout: key(Duration, "Longest run time.", formatDuration(FIGURES.hookTimeoutMs)),
});

const HookEntry = z.union([z.string().min(1), HookObject], {
  error: "expected a command, or an object with run or module",
});

const Hook = z
  .union([HookEntry, z.array(HookEntry)], {
    error: "expected a command, an object with run or module, or a list of these",
  })
  .meta({ id: "Hook" });

function hookShape(): Record<(typeof HOOK_POINTS)[number], z.ZodOptional<typeof Hook>> {
  const entries = HOOK_POINTS.map((point) => [point, key(Hook, `Runs ${point.replaceAll("-", " ")}.`)] as const);
  return Object.fromEntries(entries) as Record<(typeof HOOK_POINTS)[number], z.ZodOptional<typeof Hook>>;
}

/** Commands or code at named points. */
export const Hooks = z.strictObject(hookShape());

export const Power = z.strictObject({
  preventIdleSleep: key(z.boolean(), "Keep a Mac awake while the daemon runs; on by default there."),
});

const Tls = z.strictObject({
  cert: z.string().min(1).describe("File with the certificate and its chain (PEM), from the folder of this file."),
  key: z.string().min(1).describe("File with its private key (PEM)."),
});

const PROXY = "expected an address such as 10.0.0.2, or a range such as 10.0.0.0/8";
const ProxyAddress = z.string({ error: PROXY }).regex(/^[\da-f.:]+(?:\/\d{1,3})?$/i, PROXY);

export const Dashboard = z.strictObject({
  allowedHosts: key(z.array(z.string().min(1)), "Host names under which the dashboard can be reached.", []),
  tls: key(Tls, "Serve HTTPS with this certificate; without it, HTTP."),
  trustedProxies: key(
    z.array(ProxyAddress),
    "Addresses of proxies whose X-Forwarded-Host and X-Forwarded-Proto are trusted.",
    [],
  ),
});

const WEBHOOK_URL = "expected an address such as https://ao.example.com";

export const Webhooks = z.strictObject({
  url: key(
    z.url({ protocol: /^https?$/, error: WEBHOOK_URL }),
    "Where forges reach this daemon, such as the address of a tunnel. Requests for this host reach only webhooks.",
  ),
});

const Polling = z.strictObject({
  running: key(Duration, "While something runs.", formatDuration(FIGURES.pollingRunningMs)),
  quiet: key(Duration, "When all is quiet.", formatDuration(FIGURES.pollingQuietMs)),
  idle: key(Duration, "When nothing is left.", formatDuration(FIGURES.pollingIdleMs)),
});

export const Lifecycle = z.strictObject({
  autoCleanupOnMerge: key(
    z.boolean(),
    "After a merge, stop the session and remove its worktree. The branch stays until `ao cleanup`, or goes with `deleteAfter`.",
    true,
  ),
  hibernateAfter: key(
    DurationOrNever,
    "End an agent's process after this much idle time, to free its memory; a message starts it again in the same conversation. `never` turns this off.",
    formatDuration(FIGURES.hibernateAfterMs),
  ),
  polling: key(Polling, "How often trackers and forges are polled."),
});
