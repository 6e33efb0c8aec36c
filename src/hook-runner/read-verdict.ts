/** What a hook decided; the reason is null if it gave none. */
export type Verdict =
  | { readonly isAgreed: true }
  | { readonly isAgreed: false; readonly reason: string | null }
  | { readonly isAgreed: false; readonly fault: string };

/** The verdict of a function by the value that it returned; an unexpected one is not an agreement. */
export function readVerdict(value: unknown): Verdict {
  if (value === undefined || value === null || value === true) return { isAgreed: true };
  if (value === false) return { isAgreed: false, reason: null };
  if (typeof value === "object" && "refuse" in value && typeof value.refuse === "string") {
    const reason = value.refuse.trim();
    return { isAgreed: false, reason: reason === "" ? null : reason };
  }
  return {
    isAgreed: false,
    fault: `returned ${describe(value)}; expected nothing, true, false or { refuse: "reason" }`,
  };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.join(", ")}`;
}
