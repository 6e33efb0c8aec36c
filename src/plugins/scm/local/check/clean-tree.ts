import { AoError } from "../../../../core/errors.ts";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest } from "../../../../ports/scm.ts";
import { failure } from "../../../../providers/git/failure.ts";
import type { ScmTools } from "../../../../providers/git/scm/tools.ts";

/**
 * Creates a clean checkout of one commit that shares the project's objects and that the project does not know about.
 */
export async function makeTree(tools: ScmTools, request: CheckRequest, tree: string): Promise<void> {
  if (!/^[0-9a-f]{40,64}$/.test(request.commit)) {
    throw failure("usage", "config", { message: `"${request.commit}" is not a commit.` });
  }
  const source = await tools.host.fs.realPath(request.project.path);
  // An empty template, so that the user's own hooks are not copied.
  const clone = [
    "clone",
    "-q",
    "--shared",
    "--no-checkout",
    "--template=",
    "-c",
    "gc.auto=0",
    "-c",
    "advice.detachedHead=false",
  ];
  const args = [...clone, "--", source ?? request.project.path, tree];
  await tools.git({ cwd: request.folder, args, discover: true });
  await tools.git({ cwd: tree, args: ["checkout", "-q", "--detach", request.commit, "--"] });
}

/** Removes a tree that programs have written, including read-only folders. */
export async function removeTree(host: Host, path: string): Promise<void> {
  try {
    await host.fs.remove(path);
  } catch (cause) {
    await host.exec({ program: "chmod", args: ["-R", "u+rwX", "--", path], okCodes: [0, 1], timeoutMs: 600_000 });
    await host.fs.remove(path).catch(() => {
      const message = `${path} could not be removed.`;
      throw new AoError({ code: "plugin-failed", message, hint: "Remove it by hand.", cause });
    });
  }
}
