import { expect, test } from "bun:test";
import {
  exactAnswerBytesMax,
  readErrorMessage,
  readAnswer,
  tooLong,
} from "#state/makers/exact-counts.ts";

test("readAnswer: JSON, else nothing, and no more than the limit", async () => {
  expect(await readAnswer(Response.json({ a: 1 }))).toEqual({ a: 1 });
  expect(await readAnswer(new Response("<html>"))).toBeUndefined();
  expect(await readAnswer(new Response(null))).toBeUndefined();
  const fits = `"${"x".repeat(exactAnswerBytesMax - 2)}"`;
  expect(await readAnswer(new Response(fits))).toHaveLength(exactAnswerBytesMax - 2);
  expect(await readAnswer(new Response(`${fits} `))).toBe(tooLong);
});

test("readAnswer leaves an answer without an end", async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: () => void (isCancelled = true),
  });
  expect(await readAnswer(new Response(endless))).toBe(tooLong);
  expect(isCancelled).toBe(true);
});

test("readErrorMessage: one safe line without the key", () => {
  const message = "model: bad\n  key sk-1 \u001b[31m is sk-1";
  expect(readErrorMessage({ error: { message } }, "sk-1")).toBe(
    "model: bad key *** \\u001b[31m is ***",
  );
  expect(readErrorMessage({ error: "no" }, "sk-1")).toBe("");
  expect(readErrorMessage(undefined, "sk-1")).toBe("");
});
