// `npm run test:agents -- [--offline] [file ...]`: installs the real programs of agents and runs the
// tests that drive them. No real model is called: they are
// pointed at a scripted server on this machine. `npm test` runs the same tests when the programs are there. With --offline (Linux,
// as root or where user namespaces are allowed) the tests have only the loopback network, which proves that nothing else is called.
import { agentsFolder, installAgents, PROGRAMS } from "./agent-programs.mjs";
import { bin, build, ensurePackages, run } from "./lib.mjs";

ensurePackages();
const absent = installAgents(Object.keys(PROGRAMS));
if (absent.length > 0) {
  console.error(`error: npm could not install ${absent.join(", ")}`);
  process.exit(1);
}
build();
const words = process.argv.slice(2);
const files = words.filter((word) => word !== "--offline");
const vitest = [bin("vitest"), "run", ...(files.length > 0 ? files : ["test/agents"])];
const [command, ...args] = words.includes("--offline") ? [...alone(), ...vitest] : vitest;
// A missing program is now a failure, not a reason to skip.
run(command, args, { env: { ...process.env, AO_TEST_AGENTS: agentsFolder, AO_TEST_AGENTS_REQUIRED: "1" } });

/** A command prefix that runs a command in its own empty network. */
function alone() {
  if (process.platform !== "linux") {
    console.error("error: --offline needs Linux");
    process.exit(2);
  }
  return ["unshare", process.getuid() === 0 ? "-n" : "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
}
