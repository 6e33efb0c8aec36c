import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const support = fileURLToPath(new URL("../test/agents/support/", import.meta.url));
const standIn = fileURLToPath(new URL("../test/fixtures/agents/acp-agent.mjs", import.meta.url));

/** The scripted model and the table of real agents, from the tests of real agents. */
export async function loadAgents(folder) {
  await build({
    entryPoints: [join(support, "model-server.ts"), join(support, "session-agents.ts")],
    ...{ bundle: true, platform: "node", format: "esm", packages: "external", outdir: folder, logLevel: "error" },
    // No test runs here; the parts used need none.
    plugins: [{ name: "no-tests", setup: leaveOutTests }],
  });
  const { startModelServer } = await import(pathToFileURL(join(folder, "model-server.js")));
  const { MAIN_AGENTS, TERMINAL_AGENTS } = await import(pathToFileURL(join(folder, "session-agents.js")));
  const [typed] = TERMINAL_AGENTS.filter(({ isTyped }) => isTyped);
  return { startModelServer, standIn: STAND_IN, real: [...MAIN_AGENTS, typed] };
}

function leaveOutTests(bundle) {
  bundle.onResolve({ filter: /^vitest$/ }, ({ path }) => ({ path, namespace: "nothing" }));
  bundle.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
}

/** Our own agent behind the same bridge: it needs little time itself, so the rest is ao's. */
const STAND_IN = {
  plugin: "acp",
  title: "stand-in",
  command: [process.execPath, standIn],
  process: standIn,
  config: { usage: "process" },
  environment: (_, model) => ({ MODEL_URL: model.url }),
};
