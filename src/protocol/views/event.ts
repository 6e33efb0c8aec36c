import { z } from "zod";
import type { AnyEvent } from "../../core/event.ts";
import type { Immutable, View } from "./view.ts";

/** What every event of the log has. */
const Stored = z
  .object({
    position: z.int(),
    stream: z.string().describe("Whose history it belongs to, such as `session:app-1` or `pull-request:app/3`."),
    number: z
      .int()
      .optional()
      .describe(
        "The number of the pull request now, if it is no longer the one in `stream`: its forge gave it another.",
      ),
    type: z.string().describe("What happened, such as `session.requested` or `pull-request.merged`."),
    at: z.iso.datetime(),
    text: z.string().describe("One sentence for people."),
    data: z.record(z.string(), z.unknown()).describe("The fields of this type of event."),
  })
  .meta({ id: "EventView", description: "One event of the log." });

/** One event of the log; its type determines its data. */
export type EventView = AnyEvent extends infer Event
  ? Event extends AnyEvent
    ? Omit<View<typeof Stored>, "type" | "data"> & {
        readonly type: PublicName<Event["type"]>;
        readonly data: Immutable<Omit<Event, "type">>;
      }
    : never
  : never;

export const EventView = Stored as unknown as z.ZodType<EventView>;

/** The core says change where people say pull request. */
export type PublicName<Name extends string> = Name extends `change${infer Rest}` ? `pull-request${Rest}` : Name;
