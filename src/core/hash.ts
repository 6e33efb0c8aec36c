/** A short, stable, non-cryptographic name for a text (FNV-1a, 64 bits, hexadecimal). */
export function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash.toString(16).padStart(16, "0");
}

/** A short commit id for people. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}
