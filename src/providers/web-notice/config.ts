import { z } from "zod";

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const MAX_TIMEOUT_MS = 60_000;

/** A web URL. Its error message never quotes the value, because URLs carry tokens. */
export const WebAddress = z.string().refine(isWebAddress, "must be an address that starts with http:// or https://");

export const Timeout = z
  .string()
  .refine((text) => timeoutMs(text) > 0 && timeoutMs(text) <= MAX_TIMEOUT_MS, "must be a duration of at most 60s")
  .default("10s")
  .describe("How long the receiver may take to answer.");

/** Milliseconds of a written duration; NaN if it is invalid. */
export function timeoutMs(text: string): number {
  const match = DURATION.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? Number.NaN);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
