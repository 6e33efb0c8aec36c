import { HEIGHT, WIDTH } from "../canvas.js";

export const order = 50;

/** Two rows of grass, the lower one denser. */
export function draw(canvas) {
  canvas.put(0, HEIGHT - 2, "\" ' ".repeat(WIDTH / 4), "green");
  canvas.put(0, HEIGHT - 1, '"'.repeat(WIDTH), "green");
}
