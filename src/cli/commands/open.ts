import type { LinkView } from "../../protocol/views/daemon.ts";
import { hasDisplay, openInBrowser, tunnelHint } from "../client/browser.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "open",
  summary: "open the dashboard, or one session, in the browser",
  usage: ["[SESSION] [--print | --qr] [--json]"],
  arguments: [{ ...SESSION_ARGUMENT, optional: true, orHere: false }],
  options: {
    print: { type: "boolean", summary: "print the link instead of opening it" },
    qr: { type: "boolean", summary: "show a QR code for a phone on the same network" },
    json: JSON_OPTION,
  },
  examples: ["ao open", "ao open my-app-fix-login", "ao open --print", "ao open --qr"],
  details:
    "The link signs in one browser and is valid for 5 minutes. Without a display it is printed. A phone reaches the daemon only if it listens on the network: `ao start --host 0.0.0.0`.",
  async run({ args: [session], options }) {
    const input = { ...(session === undefined ? {} : { session }), ...(options.qr === true ? { network: true } : {}) };
    const link = await connect().call("POST /api/link", { input });
    if (options.json === true) return printJson(link);
    if (options.qr === true) return showCode(link);
    if (options.print === true) return print(link.url);
    const isShown = hasDisplay(process.env, process.platform) && (await openInBrowser(link.url));
    if (isShown) return print(`opened ${new URL(link.url).origin}`);
    print(link.url);
    note(tunnelHint(link.url));
  },
});

async function showCode({ url }: LinkView): Promise<void> {
  const { renderCode } = await import("../views/qr-code.ts");
  print(await renderCode(url, process.stdout));
  print(url);
  if (url.startsWith("http:")) note("note: the connection is not encrypted; dashboard.tls sets a certificate");
}
