import { existsSync, realpathSync } from "node:fs";
import { AoError } from "../../../core/errors.ts";
import { connect } from "../../client/client.ts";
import { currentHome } from "../../client/home.ts";

/** The file in force for machine-wide keys, if it is not this one; null: it is this one, or no daemon is running. */
export async function otherMachineFile(file: string): Promise<string | null> {
  const inForce = await machineFile();
  return inForce === null || realpathSync(inForce) === realpathSync(file) ? null : inForce;
}

async function machineFile(): Promise<string | null> {
  const { config } = currentHome();
  if (existsSync(config)) return config;
  try {
    const { file } = await connect({ start: false }).call("GET /api/machine-config");
    return file !== null && existsSync(file) ? file : null;
  } catch (error) {
    if (error instanceof AoError) return null;
    throw error;
  }
}
