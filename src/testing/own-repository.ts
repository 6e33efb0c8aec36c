import type { Workspace } from "../ports/workspace.ts";

/** A workspace slot whose sessions all run in a sandbox, so that their checkouts get repositories of their own. */
export function inSandbox(workspace: Workspace): Workspace {
  const enclose = async (argv: readonly string[]): Promise<readonly string[]> => argv;
  return {
    ...workspace,
    create: (request) => workspace.create({ enclose, ...request }),
    reconcileCreate: (request) => workspace.reconcileCreate({ enclose, ...request }),
  };
}
