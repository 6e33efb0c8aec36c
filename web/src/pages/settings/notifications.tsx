import { useMutation } from "@tanstack/react-query";
import { call } from "../../data/call.ts";
import { Button } from "../../parts/button.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Setting } from "./setting.tsx";

/** Sends a test notification and shows which notifier accepted it. */
export function Notifications() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call("POST /api/notify/test", { input: {} }),
  });
  return (
    <Setting name="Test notification" about="Sent to every configured notifier">
      <Button disabled={isPending} onClick={() => mutate()}>
        {isPending ? "Sending …" : "Send a test"}
      </Button>
      {error === null ? null : <Failure error={error} />}
      {data?.data.length === 0 ? <Notice>no notifier configured</Notice> : null}
      {data?.data.map(({ notifier, sent, reason }) => (
        <Notice key={notifier} tone={sent ? "good" : "bad"}>
          {notifier}: {sent ? "sent" : (reason ?? "not sent")}
        </Notice>
      ))}
    </Setting>
  );
}
