/** Long work that gave way, in the order in which it goes on. */
const waiting: (() => void)[] = [];

/**
 * Lets the daemon do other work. However many calls work at the same time, one of them goes on each time the event loop
 * comes around, so that together they delay the others no more than one does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  // From within an immediate this runs only after the loop has come around.
  if (waiting.length > 0) setImmediate(goOn);
}
