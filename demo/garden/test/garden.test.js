import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas, WIDTH } from "../src/canvas.js";
import { CAPTION } from "../src/caption.js";
import { loadLayers } from "../src/layers.js";
import { paint } from "../src/paint.js";

for (const layer of await loadLayers()) {
  test(`${layer.name} can be seen, and all of it`, () => {
    const canvas = createCanvas();
    layer.draw(canvas);
    assert.ok(canvas.inside() > 0, "nothing of it is in the picture");
    assert.equal(canvas.outside(), 0, `${canvas.outside()} characters of it are outside of the picture`);
  });
}

test("every line of the garden fits", async () => {
  for (const line of await paint()) assert.ok(line.length <= WIDTH, line);
});

test("the caption begins with what there was first", () => {
  assert.ok(CAPTION.startsWith("a patch of grass"));
});
