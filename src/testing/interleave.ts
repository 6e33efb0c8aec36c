import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Runs `act`, and `other` right after `act` first calls this function of node:fs, as another process might. */
export function interleave(name: "mkdirSync" | "writeFileSync", act: () => void, other: () => void): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const restore = (): void => {
    Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  };
  const once = (...args: unknown[]): unknown => {
    const result = original(...args);
    restore();
    other();
    return result;
  };
  Object.assign(fs, { [name]: once });
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    restore();
  }
}
