import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { writeOutHidden } from "../../../src/core/hidden-characters.ts";
import { inboxQuery } from "../data/queries.ts";

/** Says aloud, in a screen reader, what needs a person from now on. */
export function Announcer() {
  const { data } = useQuery(inboxQuery());
  const known = useRef<ReadonlySet<string> | null>(null);
  const [text, setText] = useState("");
  useEffect(() => {
    if (data === undefined) return;
    const before = known.current;
    known.current = new Set(data.data.map(({ id }) => id));
    const news = before === null ? [] : data.data.filter(({ id }) => !before.has(id));
    if (news.length > 0) setText(news.map((entry) => writeOutHidden(entry.text)).join("; "));
  }, [data]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {text === "" ? "" : `Needs you: ${text}`}
    </p>
  );
}

/** The first stop of Tab: past the bar, into the page. */
export function SkipLink() {
  const skip = (): void => {
    const main = document.querySelector("main");
    if (main === null) return;
    main.tabIndex = -1;
    main.focus();
  };
  return (
    <button type="button" className="skip-link" onClick={skip}>
      Skip to the page
    </button>
  );
}
