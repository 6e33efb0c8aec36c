import "./signed-out.css";
import { useEffect } from "react";
import { call } from "../data/call.ts";

/** For a browser that is not, or no longer, signed in. Once it is, in this or another tab, the page comes back as it was. */
export function SignedOut() {
  const hasLink = new URLSearchParams(location.search).has("link");
  useReturn();
  return (
    <main className="signed-out">
      <h1>{hasLink ? "This link does not work any more" : "This browser is not signed in"}</h1>
      <p className="ink-2">
        {hasLink
          ? "A link signs in one browser, once, within 5 minutes. This one was used, has expired, or is incomplete. Make a new one in a terminal on the machine where ao runs:"
          : "Sign in from a terminal on the machine where ao runs. What you typed here is kept."}
      </p>
      <pre className="signed-out-command">ao open</pre>
      <p className="ink-2">
        It makes a one-time link, valid for 5 minutes, and opens it in your browser. After that this browser stays
        signed in for 7 days.
      </p>
      <p className="ink-2">
        For a phone, <code>ao open --qr</code> shows a code to scan. Over SSH, <code>ao open --print</code> prints the
        link.
      </p>
    </main>
  );
}

/** Looks again whenever somebody returns to this tab. */
function useReturn(): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible")
        call("GET /api/projects")
          .then(() => location.reload())
          .catch(() => undefined);
    };
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
}
