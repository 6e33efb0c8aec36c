import { readFile } from "node:fs/promises";
import { AoError } from "../../core/errors.ts";
import { SCOPES } from "../../protocol/choices.ts";
import { connect } from "../client/client.ts";
import { fetchHealth } from "../client/fetch-health.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { print, printJson } from "../views/print.ts";
import { renderTable } from "../views/table.ts";

const create = defineCommand({
  name: "token create",
  summary: "create a token; it is shown once",
  usage: ["NAME [--scope SCOPE] [--json]"],
  arguments: [{ name: "NAME", summary: "what it is for" }],
  options: {
    scope: { type: "string", value: "SCOPE", summary: `what it may do: ${SCOPES.join(", ")} (default: admin)` },
    json: JSON_OPTION,
  },
  examples: ["ao token create ci", "ao token create phone --scope operate"],
  async run({ args: [name = ""], options }) {
    const scope = SCOPES.find((known) => known === options.scope);
    if (options.scope !== undefined && scope === undefined) {
      const message = `unknown --scope "${options.scope}"`;
      throw new AoError({ code: "usage", message, hint: `Use one of ${SCOPES.join(", ")}.` });
    }
    const made = await connect().call("POST /api/tokens", { input: scope === undefined ? { name } : { name, scope } });
    if (options.json === true) printJson(made);
    else print(made.token);
  },
});

const list = defineCommand({
  name: "token list",
  summary: "the names of the tokens",
  usage: ["[--json]"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ["ao token list"],
  async run({ options }) {
    const answer = await connect().call("GET /api/tokens");
    if (options.json === true) return printJson(answer);
    if (answer.data.length === 0) return print("no other tokens; create one with: ao token create NAME");
    const rows = answer.data.map((token) => [token.name, token.scope, token.createdAt]);
    print(renderTable([["NAME", "SCOPE", "CREATED"], ...rows]).join("\n"));
  },
});

const revoke = defineCommand({
  name: "token revoke",
  summary: "revoke a token",
  usage: ["NAME [--json]"],
  arguments: [{ name: "NAME", summary: "its name, as `ao token list` shows it" }],
  options: { json: JSON_OPTION },
  examples: ["ao token revoke ci"],
  async run({ args: [name = ""], options }) {
    const token = await connect().call("DELETE /api/tokens/:name", { params: { name } });
    if (options.json === true) printJson(token);
    else print(`revoked ${token.name}`);
  },
});

export const command = defineCommand({
  name: "token",
  summary: "print or manage API tokens",
  usage: ["", "create NAME | list | revoke NAME"],
  arguments: [],
  options: { json: JSON_OPTION },
  examples: ['curl -H "Authorization: Bearer $(ao token)" http://localhost:3000/api/sessions'],
  details: "3000 is the default port; `ao start --json` prints the address in use.",
  subcommands: [create, list, revoke],
  async run({ options }) {
    const client = connect();
    const { paths } = client;
    const token = await readFile(paths.token, "utf8").catch(async () => {
      // The daemon creates it on its first start.
      await fetchHealth(client);
      return readFile(paths.token, "utf8");
    });
    if (options.json === true) printJson({ token: token.trim() });
    else print(token.trim());
  },
});
