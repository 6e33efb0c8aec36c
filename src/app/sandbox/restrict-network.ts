import { join } from "node:path";
import { ENFORCED_FILE, encodeLimit, LIMIT_FILE, LIMIT_FOLDER } from "../../core/sandbox.ts";
import type { Host } from "../../ports/host.ts";

/** A proxy looks at the file twice a second; one that needs this long is gone, or from before limits existed. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

/** Writes the only hosts that a run's proxy may connect to. New connections obey at once. */
export async function writeLimit(host: Host, runDir: string, hosts: readonly string[] | null): Promise<void> {
  await host.fs.makeDir(join(runDir, LIMIT_FOLDER), { mode: 0o700 });
  await host.fs.writeText(join(runDir, LIMIT_FOLDER, LIMIT_FILE), encodeLimit(hosts), { mode: 0o600 });
}

/** Does the same to a running sandbox; true once its proxy has also closed the connections to all other hosts. */
export async function restrictNetwork(host: Host, runDir: string, hosts: readonly string[] | null): Promise<boolean> {
  await writeLimit(host, runDir, hosts);
  const enforced = join(runDir, LIMIT_FOLDER, ENFORCED_FILE);
  for (let waited = 0; waited <= PATIENCE_MS; waited += LOOK_MS) {
    if ((await host.fs.readText(enforced)) === encodeLimit(hosts)) return true;
    await new Promise<void>((resolve) => void host.clock.after(LOOK_MS, resolve));
  }
  return false;
}
