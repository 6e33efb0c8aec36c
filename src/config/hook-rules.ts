import { HOOK_POINTS } from "../core/hook/hook.ts";
import { listHooks } from "./normalize-hooks.ts";
import type { Finding } from "./problem.ts";
import type { WrittenConfig } from "./schema.ts";

/** `hooks.mjs`: a file in the folder of the configuration, since no npm package has such a name. */
const FILE_NAME = /^[^./~@][^/]*\.(?:[cm]js|[cm]?ts)$/;

/** A hook is either a command or a module. */
export function checkHooks({ hooks = {} }: WrittenConfig): readonly Finding[] {
  return HOOK_POINTS.flatMap((point) => {
    const written = hooks[point];
    if (written === undefined) return [];
    return listHooks(written).flatMap((entry, index): readonly Finding[] => {
      if (typeof entry === "string") return [];
      const path = ["hooks", point, ...(Array.isArray(written) ? [index] : [])];
      const { run, module } = entry;
      if ((run === undefined) === (module === undefined)) {
        return [{ path, at: "value", message: "needs either `run` or `module`", hint: null }];
      }
      if (module === undefined || !FILE_NAME.test(module)) return [];
      const message = `"${module}" is read as the name of an npm package`;
      return [{ path: [...path, "module"], at: "value", message, hint: `write "./${module}" for the file` }];
    });
  });
}
