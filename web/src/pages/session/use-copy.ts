import { useState } from "react";

/** Copies a text, and confirms it on the button for a moment. */
export function useCopy(text: string | null) {
  const [state, setState] = useState<"Copy path" | "Copied" | "Cannot copy">("Copy path");
  const run = (): void => {
    if (text === null) return;
    const show = (result: "Copied" | "Cannot copy"): void => {
      setState(result);
      setTimeout(() => setState("Copy path"), 2000);
    };
    // Pages not served over localhost or TLS have no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => show("Copied"),
      () => show("Cannot copy"),
    );
  };
  return { state, run };
}

export type Copy = ReturnType<typeof useCopy>;
