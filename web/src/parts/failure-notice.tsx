import { Button } from "./button.tsx";
import { describeFailure } from "./failure.ts";
import { Notice } from "./notice.tsx";

/** What failed, how to fix it, and a way to retry. */
export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: (() => void) | undefined }) {
  const { what, fix } = describeFailure(error);
  return (
    <Notice tone="bad" action={onRetry === undefined ? undefined : <Button onClick={onRetry}>Retry</Button>}>
      {what}
      {fix === null ? null : <span className="ink-2"> {fix}</span>}
    </Notice>
  );
}
