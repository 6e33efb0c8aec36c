import { shortCommit } from "../../../core/hash.ts";
import { tailOf } from "../../../providers/git/failure.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

/**
 * Packs what the commits bring. The pack's index has the names that follow from the contents, and a name that is only in
 * the repository is printed. (The call names no command of git, so the arguments are its settings.)
 */
const COMPARE = `set -e
folder=$(mktemp -d)
remove() { rm -rf "$folder"; }
trap remove EXIT
git "$@" rev-list --objects --no-object-names --stdin > "$folder/named"
[ -s "$folder/named" ] || exit 0
git "$@" pack-objects --quiet --window=0 --stdout < "$folder/named" > "$folder/stream"
git "$@" index-pack --stdin --threads=1 "$folder/new.pack" < "$folder/stream" > /dev/null
git "$@" show-index < "$folder/new.idx" | cut -d" " -f2 | sort > "$folder/found"
sort -u "$folder/named" | comm -23 - "$folder/found"`;

/**
 * Why the objects that these commits bring to a base are not what their names say; null: they are. Git itself does not
 * compare when it reads, so somebody with access to the object files could have replaced what was approved.
 */
export async function findReplaced(
  tools: ScmTools,
  cwd: string,
  { base, commits }: { readonly base: string; readonly commits: readonly string[] },
): Promise<string | null> {
  const stdin = [...commits, `^${base}`].map((line) => `${line}\n`).join("");
  const { code, stdout, stderr } = await tools.git({ cwd, args: [], script: COMPARE, stdin, okCodes: [0, 1, 128] });
  const [object] = stdout.split("\n");
  if (code !== 0) return `its objects cannot be read: ${tailOf(stderr, 2)}`;
  return object === undefined || object === ""
    ? null
    : `object ${shortCommit(object)} does not have the content that its name stands for; \`git fsck\` shows it`;
}
