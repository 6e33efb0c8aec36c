/** When the program has a prompt for good. */
export interface Receipt {
  /** A prompt is about to be written, perhaps in the middle of a turn. */
  await(promptId: string, uuid: string, isMidTurn: boolean): void;
  /** The program said that it took this one up. */
  heard(uuid: string): void;
  /** A turn with these prompts is over. */
  settle(uuids: readonly string[]): void;
  close(): void;
}

const LOOK_MS = 25;
/** After the program's word nothing was saved for so long: it saves nothing, or elsewhere. */
const TRUST_MS = 3000;

/**
 * Watches for a prompt to be saved: that comes before the model is asked and outlives the program. Its own word comes
 * later (with the first answer), or in newer versions a little earlier.
 */
export function createReceipt(options: {
  readonly isSaved: (uuid: string) => boolean;
  readonly onAccepted: (promptId: string) => void;
}): Receipt {
  let awaited: { promptId: string; uuid: string; isMidTurn: boolean; heardAt: number | null } | null = null;
  let timer: NodeJS.Timeout | null = null;

  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const accept = (): void => {
    const promptId = awaited?.promptId;
    awaited = null;
    stop();
    if (promptId !== undefined) options.onAccepted(promptId);
  };
  const look = (): void => {
    // In the middle of a turn the file may be ahead of what was heard: the prompt could seem to belong to the turn before.
    if (awaited === null || (awaited.isMidTurn && awaited.heardAt === null)) return;
    const isTrusted = awaited.heardAt !== null && Date.now() - awaited.heardAt > TRUST_MS;
    if (isTrusted || options.isSaved(awaited.uuid)) accept();
  };

  return {
    await: (promptId, uuid, isMidTurn) => {
      awaited = { promptId, uuid, isMidTurn, heardAt: null };
      stop();
      timer = setInterval(look, LOOK_MS);
    },
    heard: (uuid) => {
      if (awaited?.uuid !== uuid) return;
      awaited.heardAt ??= Date.now();
      look();
    },
    settle: (uuids) => {
      if (awaited !== null && uuids.includes(awaited.uuid)) accept();
    },
    close: () => {
      awaited = null;
      stop();
    },
  };
}
