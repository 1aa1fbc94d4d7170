import { expect, test } from "bun:test";
import { closeSync } from "node:fs";
import { isAbandoned } from "#kit/os/abandoned.ts";
import { openPipe } from "#kit/os/pipe.ts";

test("isAbandoned is true once the reader of a pipe has left", () => {
  const pipe = openPipe("linux");
  if (!pipe) return expect.unreachable();
  expect(isAbandoned(pipe.writeEnd)).toBe(false);
  closeSync(pipe.readEnd);
  expect(isAbandoned(pipe.writeEnd)).toBe(true);
  closeSync(pipe.writeEnd);
});

test("isAbandoned is false where that cannot be known", () => {
  expect(isAbandoned(1, "libnone.so.1")).toBe(false);
});
