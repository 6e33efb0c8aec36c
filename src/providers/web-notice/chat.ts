import { z } from "zod";
import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Notice, Notifier } from "../../ports/notifier.ts";
import { Timeout, timeoutMs, WebAddress } from "./config.ts";
import { postNotice } from "./post.ts";

/** A chat service that takes messages at a secret URL. */
export interface ChatService {
  /** The name of the plugin. */
  readonly plugin: string;
  /** The environment variable with the URL, if the configuration has none. */
  readonly variable: string;
  /** The URL to post to, derived from the one the service gave the user. */
  readonly addressOf?: (url: string) => string;
  /** The message in the service's format. */
  readonly format: (notices: readonly Notice[]) => object;
}

export const ChatConfig = z.strictObject({
  url: WebAddress.optional().describe("The address of the incoming webhook; without it, the environment has it."),
  timeout: Timeout,
});

type Settings = z.infer<typeof ChatConfig>;

/** A notifier for a chat whose incoming webhook is just a URL. */
export function createChatNotifier(service: ChatService, config: Settings, host: Host): Notifier {
  const { plugin, variable, addressOf = (url) => url } = service;
  const sender = { plugin, checkAccess: "The webhook may have been revoked: make a new one and change the `url`." };
  const found = findAddress(config.url ?? host.env[variable], variable);
  return {
    async send(notices) {
      if (notices.length === 0) return;
      if ("obstacle" in found) throw new PluginError({ plugin, category: "config", message: found.obstacle });
      await postNotice(host, sender, {
        url: addressOf(found.url),
        headers: { "User-Agent": "ao", "Content-Type": "application/json; charset=utf-8" },
        body: JSON.stringify(service.format(notices)),
        timeoutMs: timeoutMs(config.timeout),
      });
    },
    preflight: () =>
      Promise.resolve("obstacle" in found ? { ok: false, reason: found.obstacle } : { ok: true, reason: null }),
  };
}

function findAddress(
  url: string | undefined,
  variable: string,
): { readonly url: string } | { readonly obstacle: string } {
  if (url === undefined || url === "") {
    return { obstacle: `It has no address: set ${variable} in the shell that runs \`ao start\`, or write \`url\`.` };
  }
  return WebAddress.safeParse(url).success ? { url } : { obstacle: `${variable} is not a web address.` };
}
