import { InvariantError } from "../../core/errors.ts";
import { INLINE_LIMIT, type StoredText } from "../../core/text.ts";
import type { Store } from "../../ports/store.ts";

/** Stores a long text separately, so that events stay small. */
export async function storeText(
  store: Store,
  text: string,
): Promise<{ readonly text: StoredText; readonly bytes: number }> {
  const bytes = Buffer.byteLength(text);
  if (text.length <= INLINE_LIMIT) return { text: { inline: text }, bytes };
  return { text: { blob: await store.putBlob(text), bytes, start: text.slice(0, 200) }, bytes };
}

/** The whole text, wherever its pieces are stored. */
export async function readText(store: Store, text: StoredText): Promise<string> {
  if ("inline" in text) return text.inline;
  if ("join" in text) return (await Promise.all(text.join.map((piece) => readText(store, piece)))).join("");
  const found = await store.getBlob(text.blob);
  if (found === null) throw new InvariantError(`the text ${text.blob} is not in the store`);
  return found;
}
