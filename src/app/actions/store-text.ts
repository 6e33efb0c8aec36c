import { INLINE_LIMIT, type StoredText } from "../../core/text.ts";
import type { Store } from "../../ports/store.ts";

/** Puts a long text into the store, so that events stay small. */
export async function storeText(
  store: Store,
  text: string,
): Promise<{ readonly text: StoredText; readonly bytes: number }> {
  const bytes = Buffer.byteLength(text);
  if (text.length <= INLINE_LIMIT) return { text: { inline: text }, bytes };
  return { text: { blob: await store.putBlob(text), bytes, start: text.slice(0, 200) }, bytes };
}
