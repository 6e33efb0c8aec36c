import { randomUUID } from "node:crypto";

export interface Hook {
  readonly id: number;
  readonly url: string;
  readonly secret: string | null;
  readonly events: readonly string[];
}

/** One payload for one URL. */
export interface Delivery {
  readonly id: string;
  readonly hook: Hook;
  readonly event: string;
  readonly body: string;
  /** The receiver's answers, newest last; 0: no answer. */
  readonly statuses: number[];
}

export interface Webhooks {
  readonly deliveries: readonly Delivery[];
  /** Sends an event to every URL that subscribed to it. */
  emit(
    repository: { readonly hooks: readonly Hook[] },
    event: string,
    payload: Readonly<Record<string, unknown>>,
  ): void;
  /** Resends a delivery under its old id, like the button on the website. */
  redeliver(delivery: Delivery): Promise<number>;
  /** Holds new deliveries until they are redelivered: late, or in another order. */
  hold(isHeld: boolean): void;
  /** Resolves once everything emitted is answered. */
  idle(): Promise<void>;
}

/** The headers that a forge adds to a payload: its event, its id, and the proof of its origin. */
export type DeliveryHeaders = (delivery: Delivery) => Readonly<Record<string, string>>;

/** Sends payloads, in order per URL. */
export function createWebhooks(headersOf: DeliveryHeaders): Webhooks {
  const deliveries: Delivery[] = [];
  let isHeld = false;
  let sending: Promise<unknown> = Promise.resolve();
  const send = async (delivery: Delivery): Promise<number> => {
    const status = await post(delivery, headersOf(delivery)).catch(() => 0);
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

async function post({ hook, body }: Delivery, headers: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(hook.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.status;
}
