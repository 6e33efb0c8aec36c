import { hasDisplay, openInBrowser, tunnelHint } from "../client/browser.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { note, print, printJson } from "../views/print.ts";

export const command = defineCommand({
  name: "open",
  summary: "open the dashboard, or one session, in the browser",
  usage: ["[SESSION] [--print] [--json]"],
  arguments: [{ ...SESSION_ARGUMENT, optional: true, orHere: false }],
  options: {
    print: { type: "boolean", summary: "print the link instead of opening it" },
    json: JSON_OPTION,
  },
  examples: ["ao open", "ao open my-app-fix-login", "ao open --print"],
  details: "The link signs in one browser and is valid for 5 minutes. Without a display it is printed.",
  async run({ args: [session], options }) {
    const client = connect();
    const link = await client.call("POST /api/link", { input: session === undefined ? {} : { session } });
    if (options.json === true) return printJson(link);
    if (options.print === true) return print(link.url);
    const isShown = hasDisplay(process.env, process.platform) && (await openInBrowser(link.url));
    if (isShown) return print(`opened ${new URL(link.url).origin}`);
    print(link.url);
    note(tunnelHint(link.url));
  },
});
