import "./delivery-mark.css";
import { ArrowUp, CheckCheck, CircleDashed, CircleHelp, Clock, type LucideIcon, Undo2, X } from "lucide-react";
import type { MessageView } from "../../../src/protocol/views/session.ts";

type Delivery = MessageView["delivery"];

const MARKS: Readonly<Record<Delivery, { readonly Icon: LucideIcon; readonly tone: string; readonly means: string }>> =
  {
    queued: { Icon: Clock, tone: "", means: "Not sent yet" },
    sending: { Icon: ArrowUp, tone: "", means: "On its way to the agent" },
    unconfirmed: { Icon: CircleHelp, tone: "", means: "Sent once, no receipt yet; never resent" },
    delivered: { Icon: CheckCheck, tone: "good", means: "Confirmed by the agent" },
    unknown: { Icon: CircleDashed, tone: "you", means: "May have arrived; check, then resend" },
    failed: { Icon: X, tone: "bad", means: "The process ended; resend" },
    withdrawn: { Icon: Undo2, tone: "", means: "No longer needed; never sent" },
  };

/** The delivery state of a message, in the API's words; `time`: since when, as text. */
export function DeliveryMark({ delivery, time }: { readonly delivery: Delivery; readonly time?: string }) {
  const { Icon, tone, means } = MARKS[delivery];
  return (
    <span className="delivery-mark" title={means}>
      <Icon size={14} className={tone} aria-hidden />
      {time === undefined ? delivery : `${delivery} ${time}`}
    </span>
  );
}
