import type { Host } from "../../ports/host.ts";
import { explainAnswer, explainSilence, type Sender } from "./failure.ts";

const MAX_ANSWER_BYTES = 64 * 1024;

/** A message to a web receiver. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Posts a message; rejects with PluginError unless the receiver accepted it. */
export async function postNotice(host: Host, sender: Sender, delivery: Delivery): Promise<void> {
  const answer = await host
    .http({ method: "POST", ...delivery, maxBytes: MAX_ANSWER_BYTES })
    .catch((error: unknown) => {
      throw explainSilence(sender, error);
    });
  if (answer.status >= 200 && answer.status <= 299) return;
  throw explainAnswer(sender, { host: new URL(delivery.url).host, answer, now: host.clock.now() });
}
