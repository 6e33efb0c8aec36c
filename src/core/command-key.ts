/** A caller's idempotency key, tied to its request by a hash. */
export function tieKey(key: string, requestHash: string): string {
  return `${key}\n${requestHash}`;
}

/** The key for one command of a request with several. */
export function keyOfPart(tied: string, part: string): string {
  const [key = "", request] = tied.split("\n");
  return request === undefined ? `${key}/${part}` : tieKey(`${key}/${part}`, request);
}

/** The key that the caller chose. */
export function callersKey(tied: string): string {
  return tied.split("\n")[0] ?? "";
}

/** The result of a command, as stored in its receipt. */
export function toReceipt(tied: string, result: Readonly<Record<string, unknown>>): string {
  const request = tied.split("\n")[1];
  return JSON.stringify(request === undefined ? result : { ...result, [REQUEST]: request });
}

/** The result in a receipt, or null if the key was used for another request. Receipts of older versions match any. */
export function readReceipt(tied: string, receipt: string): Readonly<Record<string, unknown>> | null {
  const { [REQUEST]: request, ...result } = JSON.parse(receipt) as Readonly<Record<string, unknown>>;
  const asked = tied.split("\n")[1];
  return request === undefined || asked === undefined || request === asked ? result : null;
}

const REQUEST = "$request";
