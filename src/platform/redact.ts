const SECRET_NAME =
  /(token|secret|password|passwd|api[-_]?key|credential|authorization|private[-_]?key|access[-_]?key)/i;
const SECRET_VALUE =
  /\b(sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|lin_(?:api|oauth)_\w{8,}|ATATT[\w-]{16,}|xox[abposr]-[\w-]{8,}|AKIA[0-9A-Z]{12,}|ao_[a-f0-9]{32,})\b/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs;

/** Does this name of a variable or field look like a secret? */
export function looksSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Replaces what looks like a secret inside a text. */
export function redactText(text: string): string {
  return text.replace(SECRET_VALUE, "[redacted]").replace(PRIVATE_KEY, "[redacted]");
}

/** Replaces secrets in a value, by field name and by form; depth is bounded. */
export function redact(value: unknown, depth = 6): unknown {
  if (typeof value === "string") return redactText(value);
  if (value === null || typeof value !== "object" || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, looksSecret(name) ? "[redacted]" : redact(item, depth - 1)]),
  );
}
