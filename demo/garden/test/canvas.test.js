import assert from "node:assert/strict";
import { test } from "node:test";
import { createCanvas, HEIGHT, WIDTH } from "../src/canvas.js";

test("a canvas is empty at first", () => {
  assert.deepEqual(createCanvas().toText(), Array(HEIGHT).fill(""));
});

test("what is put later is in front, and a space lets through what is behind", () => {
  const canvas = createCanvas();
  canvas.put(0, 0, "aaa");
  canvas.put(0, 0, "b b");
  assert.equal(canvas.toText()[0], "bab");
});

test("what falls beside the picture is counted and not drawn", () => {
  const canvas = createCanvas();
  canvas.put(WIDTH - 1, 0, "xy");
  canvas.put(0, HEIGHT, "z");
  assert.equal(canvas.outside(), 2);
  assert.equal(canvas.inside(), 1);
});

test("colors are there when they are asked for", () => {
  const canvas = createCanvas();
  canvas.put(0, 0, "a", "red");
  assert.equal(canvas.toText({ color: true })[0].trimEnd(), "\u001b[31ma\u001b[0m");
});
