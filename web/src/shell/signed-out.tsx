import "./signed-out.css";

/** For a browser that is not, or no longer, signed in. */
export function SignedOut() {
  const hasLink = new URLSearchParams(location.search).has("link");
  return (
    <main className="signed-out">
      <h1>{hasLink ? "This link was already used" : "This browser is not signed in"}</h1>
      <p className="ink-2">
        {hasLink
          ? "A link signs in one browser, once, within 5 minutes. Make a new one in a terminal on the machine where ao runs:"
          : "Sign in from a terminal on the machine where ao runs:"}
      </p>
      <pre className="signed-out-command">ao open</pre>
      <p className="ink-2">
        It makes a one-time link, valid for 5 minutes, and opens it in your browser. After that this browser stays
        signed in for 7 days.
      </p>
      <p className="ink-2">
        Over SSH, <code>ao open --print</code> prints the link instead.
      </p>
    </main>
  );
}
