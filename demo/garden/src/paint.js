import { createCanvas, WIDTH } from "./canvas.js";
import { CAPTION } from "./caption.js";
import { loadLayers } from "./layers.js";

/** The whole garden as lines of text. */
export async function paint({ color = false } = {}) {
  const canvas = createCanvas();
  for (const layer of await loadLayers()) layer.draw(canvas);
  const left = Math.floor((WIDTH - CAPTION.length) / 2);
  return [...canvas.toText({ color }), "", " ".repeat(left) + CAPTION];
}
