import { join } from "node:path";
import { tailOf } from "../failure.ts";
import type { Tools } from "../tools.ts";
import type { Quarantine } from "./inspect-pack.ts";
import { RefusedContent } from "./refused-content.ts";

/** Commits of the receiving side that are not sent again; newest first. */
const MAX_KNOWN = 1000;
const MAX_PACK_BYTES = 2 * 1024 ** 3;
const PACK_HEADER_BYTES = 12;

interface Sent {
  /** The checkout of an agent, which is not trusted. */
  readonly from: string;
  /** The project. */
  readonly to: string;
  readonly objects: readonly string[];
  /** Where git finds objects on the sending side, if not only in the checkout's repository. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Writes the pack file, unchecked; returns the number of its objects. */
export async function receive(tools: Tools, request: Sent, { pack, objects }: Quarantine): Promise<number> {
  await tools.host.fs.makeDir(join(objects, "pack"));
  const known = await listKnown(tools, request);
  const revisions = [...request.objects, ...known.map((commit) => `^${commit}`)];
  const { stderr } = await tools.git({
    cwd: request.from,
    args: ["pack-objects", "--revs", "--stdout", "--quiet", "--window=0", "--delta-base-offset"],
    // The pipe cuts a larger pack; git's own exit code is passed in the last line of stderr.
    script: '{ git "$@"; echo "exit $?" >&2; } | head -c "$LIMIT" > "$PACK"',
    env: { ...request.env, LIMIT: String(MAX_PACK_BYTES + 1), PACK: pack },
    stdin: revisions.map((line) => `${line}\n`).join(""),
    okCodes: [0, 1],
  });
  const size = (await tools.host.fs.stat(pack))?.size ?? 0;
  if (size > MAX_PACK_BYTES) throw new RefusedContent("they are larger than 2 GiB");
  if (!stderr.trimEnd().endsWith("exit 0")) {
    throw new RefusedContent(`they cannot be read: ${tailOf(stderr.replace(/exit \d+\s*$/, ""), 2, 400)}`);
  }
  const header = await tools.host.fs.readBytes(pack, 0, PACK_HEADER_BYTES);
  return header?.length === PACK_HEADER_BYTES ? new DataView(header.buffer, header.byteOffset).getUint32(8) : 0;
}

/** Commits that both sides have. */
async function listKnown(tools: Tools, { from, to, env }: Sent): Promise<readonly string[]> {
  const newest = [`--count=${MAX_KNOWN}`, "--sort=-committerdate", "--format=%(objectname)"];
  const there = await tools.git({ cwd: to, args: ["for-each-ref", ...newest, "refs/heads", "refs/remotes"] });
  const commits = [...new Set(there.stdout.split("\n").filter((line) => line !== ""))];
  if (commits.length === 0) return [];
  const args = ["cat-file", "--batch-check"];
  const { stdout } = await tools.git({ cwd: from, env, args, stdin: commits.map((commit) => `${commit}\n`).join("") });
  return stdout.split("\n").flatMap((line) => /^([0-9a-f]+) commit /.exec(line)?.[1] ?? []);
}
