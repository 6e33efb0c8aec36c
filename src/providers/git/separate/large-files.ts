import { join } from "node:path";
import { pickEnvironment } from "../../../core/environment.ts";
import { findCommonDir } from "../repository.ts";
import type { Tools } from "../tools.ts";

const TEN_MINUTES_MS = 600_000;
const MAX_FILES = 100_000;

/**
 * Copies what is not there yet. A file is named by the SHA-256 of its content, which is computed from the copy: nobody
 * else can write that.
 */
const COPY = `set -e
cd "$FROM"
find . -type f -name "${"?".repeat(64)}" | head -n ${MAX_FILES} | while IFS= read -r file; do
  id=\${file##*/}
  case $id in *[!0-9a-f]*) continue ;; esac
  folder="$TO/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-4)"
  if [ -e "$folder/$id" ]; then continue; fi
  copy="$TO/tmp/ao-$id"
  mkdir -p "$TO/tmp" "$folder"
  rm -f "$copy"
  cp -P "$file" "$copy"
  if [ ! -L "$copy" ] && [ "$(sha256sum < "$copy" | cut -c1-64)" = "$id" ]; then mv "$copy" "$folder/$id"; else rm -f "$copy"; fi
done`;

/** Takes over files of Git LFS that a checkout has in a store of its own. */
export async function takeLargeFiles(
  tools: Tools,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { fs, exec, env } = tools.host;
  const store = join(from, ".git/lfs/objects");
  if ((await fs.stat(store))?.kind !== "directory") return;
  const target = join(await findCommonDir(fs, to), "lfs");
  await exec({
    program: "sh",
    args: ["-c", COPY],
    exactEnv: { ...pickEnvironment(env), FROM: store, TO: target },
    timeoutMs: TEN_MINUTES_MS,
  });
}
