import "./shell.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { setConnection, useConnection } from "../data/connection.ts";
import { followLive, type LiveStream } from "../data/live.ts";
import { inboxQuery, sessionsQuery } from "../data/queries.ts";
import { Failure } from "../parts/panel.tsx";
import { OfflineBanner, PausedBar } from "./banners.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { SignedOut } from "./signed-out.tsx";
import { TopBar } from "./top-bar.tsx";
import { useShellKeys } from "./use-shell-keys.ts";

const HelpDialog = lazy(() => import("./help-dialog.tsx").then((m) => ({ default: m.HelpDialog })));
const Palette = lazy(() => import("./palette/palette.tsx").then((m) => ({ default: m.Palette })));

/** What lies over the page. */
export type Overlay = "help" | "palette" | null;

/** What every page has around it, and the one stream that keeps all of it current. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const { error, refetch } = useQuery(sessionsQuery());
  const { state } = useConnection();
  const retry = useLiveStream();
  const openPalette = (): void => setOverlay("palette");
  useShellKeys(setOverlay);
  useTitle();
  if (state === "signed-out" || isUnauthorized(error)) return <SignedOut />;
  return (
    <div className="shell" data-offline={state === "lost" ? "" : undefined}>
      <TopBar onSearch={openPalette} />
      <OfflineBanner onRetry={retry} />
      <PausedBar />
      {error === null ? children : <Failed error={error} onRetry={() => void refetch()} />}
      <BottomBar />
      <Suspense fallback={null}>
        {overlay === "help" ? <HelpDialog onClose={() => setOverlay(null)} /> : null}
        {overlay === "palette" ? <Palette onClose={() => setOverlay(null)} onHelp={() => setOverlay("help")} /> : null}
      </Suspense>
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

/** Opens the stream once the lists are there, from the position that they came with. */
function useLiveStream(): () => void {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery());
  const stream = useRef<LiveStream | null>(null);
  const position = useRef<number | null>(null);
  position.current ??= data?.fleet.position ?? null;
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (!isLoaded || position.current === null) return;
    stream.current = followLive(queries, position.current);
    return () => stream.current?.close();
  }, [queries, isLoaded]);
  // A daemon that was away when the page was opened.
  const isAway = error instanceof TypeError && !isLoaded;
  useEffect(() => {
    if (isAway) setConnection({ state: "lost" });
  }, [isAway]);
  return () => (isLoaded ? stream.current?.retry() : void refetch());
}

function isUnauthorized(error: Error | null): boolean {
  return error !== null && "code" in error && error.code === "unauthorized";
}

/** The title says how much needs a person, for those who look at another tab. */
function useTitle(): void {
  const { data } = useQuery(inboxQuery());
  const count = data?.data.length ?? 0;
  useEffect(() => {
    document.title = count === 0 ? "ao" : `(${count}) ao`;
  }, [count]);
}
