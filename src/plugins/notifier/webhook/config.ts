import { z } from "zod";
import { Timeout, WebAddress } from "../../../providers/web-notice/config.ts";

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that the message itself sets. */
const RESERVED = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "idempotency-key",
  "transfer-encoding",
  "x-ao-signature",
];

// Error messages never quote the value, because headers carry tokens.
const Headers = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const message = findFault(name, value);
    if (message !== null) context.addIssue({ code: "custom", path: [name], message });
  }
});

export const Config = z.strictObject({
  url: WebAddress.describe("Where notices are posted."),
  secret: z.string().min(1).optional().describe("Signs each message, in the header X-Ao-Signature."),
  headers: Headers.default({}).describe("Extra headers, such as Authorization."),
  timeout: Timeout,
});

export type WebhookConfig = z.infer<typeof Config>;

function findFault(name: string, value: string): string | null {
  if (!HEADER_NAME.test(name)) return "is not a valid header name";
  if (RESERVED.includes(name.toLowerCase())) return "is set by ao itself";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? null : "has characters that a header cannot carry";
}
