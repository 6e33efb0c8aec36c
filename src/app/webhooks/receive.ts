import type { ForgeReport } from "../../core/change/forge-report.ts";
import { AoError } from "../../core/errors.ts";
import type { Clock } from "../../ports/host.ts";
import type { WebhookFormat } from "../../ports/webhook.ts";
import type { RawRequest } from "../../server/handler.ts";
import type { Deliveries } from "./deliveries.ts";
import { WEBHOOK_FORMATS } from "./formats.ts";

/** No forge sends longer ones. */
const MAX_ID = 200;

export interface Receiver {
  readonly deliveries: Deliveries;
  readonly clock: Pick<Clock, "now">;
  /** A forge's secret, if set. */
  secretOf(variable: string): string | undefined;
  /** Schedules a read of the named pull requests; returns how many there are. */
  report(report: ForgeReport): number;
}

/**
 * Processes one delivery. It only tells which pull requests to read, and nothing else in it is trusted, so a late or
 * reordered delivery does no harm. It is recorded before they are read: if the daemon dies in between, it reads all of
 * them at its next start.
 */
export async function receive(
  receiver: Receiver,
  scm: string,
  { header, bytes }: RawRequest,
): Promise<{ readonly pullRequests: number }> {
  const format = formatOf(scm);
  const secret = requireSecret(receiver, format);
  if (header(format.proof) === undefined) throw refused(`This delivery has no ${format.proof} header.`);
  const delivery = { header, body: await bytes() };
  if (!format.isAuthentic(delivery, secret)) throw refused(`The ${format.proof} header does not match the secret.`);
  const id = idOf(format, header);
  if (receiver.deliveries.has(scm, id)) {
    throw new AoError({ code: "conflict", message: `The delivery ${id} was already accepted.` });
  }
  const report = format.parse(delivery);
  receiver.deliveries.add({ scm, id, at: receiver.clock.now() });
  return { pullRequests: report === null ? 0 : receiver.report(report) };
}

function formatOf(scm: string): WebhookFormat {
  const format = WEBHOOK_FORMATS.find((known) => known.scm === scm);
  if (format !== undefined) return format;
  const names = WEBHOOK_FORMATS.map((known) => known.scm).join(" and ");
  throw new AoError({ code: "not-found", message: `There are no webhooks for "${scm}".`, hint: `Use ${names}.` });
}

function requireSecret({ secretOf }: Receiver, { scm, secretVariable }: WebhookFormat): string {
  const secret = secretOf(secretVariable);
  if (secret !== undefined && secret !== "") return secret;
  throw new AoError({
    code: "forbidden",
    message: `Webhooks from ${scm} are off: ${secretVariable} is not set.`,
    hint: "`ao webhook listen` says how to set it.",
  });
}

function idOf({ idOf: read }: WebhookFormat, header: RawRequest["header"]): string {
  const id = read(header) ?? "";
  if (id !== "" && id.length <= MAX_ID) return id;
  throw new AoError({ code: "usage", message: "The delivery has no usable id." });
}

function refused(message: string): AoError {
  const hint = "Use the same secret on the forge and here; `ao webhook listen` says where.";
  return new AoError({ code: "unauthorized", message, hint });
}
