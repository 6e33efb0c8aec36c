import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { EDIT_KEY } from "./config-controls.tsx";
import type { ConfigEditing } from "./use-config.ts";

/** Saves what is on screen: if an edit or its check is still on its way, as soon as both are through and found no problem. */
export function useSave({ isChanged, isCurrent, canSave, preview, save }: ConfigEditing): () => void {
  const queries = useQueryClient();
  const [isWanted, setWanted] = useState(false);
  const isEditing = (): boolean => queries.isMutating({ mutationKey: EDIT_KEY }) > 0;
  useEffect(() => {
    if (!isWanted || isEditing() || !isChanged || !isCurrent || preview === undefined) return;
    setWanted(false);
    if (canSave) save();
  });
  return () => {
    if (canSave && !isEditing()) save();
    else if (isEditing() || isChanged) setWanted(true);
  };
}
