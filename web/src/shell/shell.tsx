import "./shell.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { writeOutHidden } from "../../../src/core/hidden-characters.ts";
import { setConnection, useConnection } from "../data/connection.ts";
import { followLive, type LiveStream } from "../data/live.ts";
import { inboxQuery, isEmptyQuery, sessionsQuery } from "../data/queries.ts";
import { useShownTitle } from "../lib/page-title.ts";
import { useIsNarrow, useIsPhone } from "../lib/use-is-phone.ts";
import { Failure } from "../parts/failure-notice.tsx";
import { Announcer, SkipLink } from "./announcer.tsx";
import { OfflineBanner, PausedBar, WarningBar } from "./banners.tsx";
import { pageError } from "./page-error.ts";
import { TopBar } from "./top-bar.tsx";
import { useOverlay } from "./use-overlay.tsx";
import { useShellKeys } from "./use-shell-keys.ts";

const BottomBar = lazy(() => import("./bottom-bar.tsx").then((m) => ({ default: m.BottomBar })));
const Narrow = lazy(() => import("./narrow.tsx").then((m) => ({ default: m.Narrow })));
const SignedOut = lazy(() => import("./signed-out.tsx").then((m) => ({ default: m.SignedOut })));

/** The frame of every page, and the one stream that keeps everything current. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [overlay, show] = useOverlay();
  const { error, isLoadingError, refetch } = useQuery(sessionsQuery());
  const failure = pageError({ error, isLoadingError });
  const { state } = useConnection();
  const isPhone = useIsPhone();
  const isNarrow = useIsNarrow();
  const retry = useLiveStream();
  useShellKeys(show);
  useTitle();
  if (state === "signed-out" || isUnauthorized(error)) {
    return (
      <Suspense fallback={null}>
        <SignedOut />
      </Suspense>
    );
  }
  return (
    <div className="shell" data-offline={state === "lost" ? "" : undefined}>
      <SkipLink />
      <Announcer />
      <TopBar onSearch={() => show("palette")} />
      <OfflineBanner onRetry={retry} />
      <PausedBar />
      <WarningBar />
      {failure === null ? children : <Failed error={failure} onRetry={() => void refetch()} />}
      <Suspense fallback={null}>
        {isNarrow ? <Narrow /> : null}
        {isPhone ? <BottomBar /> : null}
      </Suspense>
      {overlay}
    </div>
  );
}

function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <main className="page">
      <Failure error={error} onRetry={onRetry} />
    </main>
  );
}

/** Opens the stream once the lists are loaded, from their position. */
function useLiveStream(): () => void {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(isEmptyQuery());
  const isLoaded = data !== undefined;
  const stream = useRef<LiveStream | null>(null);
  useEffect(() => {
    const position = queries.getQueryData(sessionsQuery().queryKey)?.fleet.position;
    if (!isLoaded || position === undefined) return;
    stream.current = followLive(queries, position);
    return () => stream.current?.close();
  }, [queries, isLoaded]);
  // The daemon was gone when the page was opened.
  const isAway = error instanceof TypeError && !isLoaded;
  useEffect(() => {
    if (isAway) setConnection({ state: "lost" });
  }, [isAway]);
  return () => (isLoaded ? stream.current?.retry() : void refetch());
}

function isUnauthorized(error: Error | null): boolean {
  return error !== null && "code" in error && error.code === "unauthorized";
}

/** The title of the tab: how many need a person, for people in another tab, and the page. */
function useTitle(): void {
  const { data } = useQuery(inboxQuery());
  const count = data?.data.length ?? 0;
  const page = useShownTitle();
  useEffect(() => {
    document.title = `${count === 0 ? "" : `(${count}) `}${page === "" ? "" : `${writeOutHidden(page)} - `}ao`;
  }, [count, page]);
}
