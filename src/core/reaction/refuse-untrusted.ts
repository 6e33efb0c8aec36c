import { type Decision, reject } from "../input.ts";
import type { NetworkLimit } from "../network-limit.ts";

/** Rejects untrusted text for an agent whose network the policy would take and cannot. */
export function refuseUntrusted(
  whose: string,
  { reason, fix }: Extract<NetworkLimit, { readonly kind: "impossible" }>,
): Decision {
  const message = `ao cannot restrict the network of ${whose} (trust.network): ${reason}. Untrusted text does not reach it.`;
  return reject("conflict", message, `To allow it, ${fix}.`);
}
