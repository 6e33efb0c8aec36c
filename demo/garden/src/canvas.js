export const WIDTH = 64;
export const HEIGHT = 12;

const COLORS = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37, gray: 90 };

/** An empty picture. Layers put text on it; a space lets through what is behind. */
export function createCanvas() {
  const cells = Array.from({ length: HEIGHT }, () => Array(WIDTH).fill(null));
  let outside = 0;
  return {
    put(x, y, text, color = "white") {
      for (const [index, character] of [...text].entries()) {
        if (character === " ") continue;
        const isInside = y >= 0 && y < HEIGHT && x + index >= 0 && x + index < WIDTH;
        if (isInside) cells[y][x + index] = { character, color };
        else outside += 1;
      }
    },
    /** How many characters fell beside the picture. */
    outside: () => outside,
    /** How many characters can be seen. */
    inside: () => cells.flat().filter((cell) => cell !== null).length,
    toText({ color = false } = {}) {
      const show = (cell) => (color ? `\u001b[${COLORS[cell.color]}m${cell.character}\u001b[0m` : cell.character);
      return cells.map((row) =>
        row
          .map((cell) => (cell === null ? " " : show(cell)))
          .join("")
          .trimEnd(),
      );
    },
  };
}
