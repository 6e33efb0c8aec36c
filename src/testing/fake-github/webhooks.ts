import { createHmac, randomUUID } from "node:crypto";
import type { Hook, Repository } from "./model.ts";

/** One payload for one address. */
export interface Delivery {
  readonly id: string;
  readonly hook: Hook;
  readonly event: string;
  readonly body: string;
  /** What the receiver answered, newest last; 0: no answer. */
  readonly statuses: number[];
}

export interface Webhooks {
  readonly deliveries: readonly Delivery[];
  /** Sends an event to every address that asked for it. */
  emit(repository: Repository, event: string, payload: Readonly<Record<string, unknown>>): void;
  /** Sends a delivery again under its old id, as the button on GitHub does. */
  redeliver(delivery: Delivery): Promise<number>;
  /** Keeps new deliveries back until they are redelivered: late, or in another order. */
  hold(isHeld: boolean): void;
  /** Resolves once everything that was emitted is answered. */
  idle(): Promise<void>;
}

/** Sends signed payloads, in order for each address. */
export function createWebhooks(): Webhooks {
  const deliveries: Delivery[] = [];
  let isHeld = false;
  let sending: Promise<unknown> = Promise.resolve();
  const send = async (delivery: Delivery): Promise<number> => {
    const status = await post(delivery).catch(() => 0);
    delivery.statuses.push(status);
    return status;
  };
  return {
    deliveries,
    emit: (repository, event, payload) => {
      for (const hook of repository.hooks.filter(({ events }) => events.includes("*") || events.includes(event))) {
        const delivery = { id: randomUUID(), hook, event, body: JSON.stringify(payload), statuses: [] };
        deliveries.push(delivery);
        if (!isHeld) sending = sending.then(() => send(delivery));
      }
    },
    redeliver: send,
    hold: (held) => {
      isHeld = held;
    },
    idle: async () => {
      await sending;
    },
  };
}

async function post({ id, hook, event, body }: Delivery): Promise<number> {
  const signature = hook.secret === null ? null : createHmac("sha256", hook.secret).update(body).digest("hex");
  const response = await fetch(hook.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/fake",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-github-hook-id": String(hook.id),
      ...(signature === null ? {} : { "x-hub-signature-256": `sha256=${signature}` }),
    },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}
