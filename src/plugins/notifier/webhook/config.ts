import { z } from "zod";

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const MAX_TIMEOUT_MS = 60_000;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What the message itself decides. */
const RESERVED = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "idempotency-key",
  "transfer-encoding",
  "x-ao-signature",
];

// Messages never quote the value: addresses and headers carry tokens.
const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = findFault(name, value);
    if (message !== null) context.addIssue({ code: "custom", path: [name], message });
  }
});

export const Config = z.strictObject({
  url: z
    .string()
    .refine(isWebAddress, "must be an address that starts with http:// or https://")
    .describe("Where notices are posted."),
  secret: z.string().min(1).optional().describe("Signs each message, in the header X-Ao-Signature."),
  headers: Headers.default({}).describe("Headers that are sent along, such as Authorization."),
  timeout: z
    .string()
    .refine((text) => timeoutMs(text) > 0 && timeoutMs(text) <= MAX_TIMEOUT_MS, "must be a duration of at most 60s")
    .default("10s")
    .describe("How long the receiver may take to answer."),
});

export type WebhookConfig = z.infer<typeof Config>;

/** Milliseconds of a written duration; NaN when it is none. */
export function timeoutMs(text: string): number {
  const match = DURATION.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function findFault(name: string, value: string): string | null {
  if (!HEADER_NAME.test(name)) return "is no name for a header";
  if (RESERVED.includes(name.toLowerCase())) return "is set by ao itself";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? null : "has characters that a header cannot carry";
}
