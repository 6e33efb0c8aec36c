import { suggest } from "../config/did-you-mean.ts";
import { functionName } from "../core/hook/hook.ts";
import type { Hook, HookPoint } from "../core/hook/hook-module.ts";

type Exports = Readonly<Record<string, unknown>>;

/** The function of a module for a point, or what is missing, as the rest of a sentence about the module. */
export function findFunction(exports: Exports, point: HookPoint): Hook | string {
  const name = functionName(point);
  const { default: main } = exports;
  const found = [exports[name], main, propertiesOf(main)[name]].find((one) => typeof one === "function");
  return (found as Hook | undefined) ?? missing(exports, name);
}

function missing(exports: Exports, name: string): string {
  const all = { ...exports, ...propertiesOf(exports["default"]) };
  const names = Object.keys(all).filter((one) => typeof all[one] === "function");
  const hint = names.length === 0 ? "it exports no functions" : suggest(name, names);
  return `has no function ${name} (${hint})`;
}

// The exports of a CommonJS module are its default export.
function propertiesOf(main: unknown): Exports {
  return typeof main === "object" && main !== null ? (main as Exports) : {};
}
