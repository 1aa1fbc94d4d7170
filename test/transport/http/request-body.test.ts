import { expect, test } from "bun:test";
import {
  readContentLength,
  BodyMemory,
  shortRequestBytesMax,
  requestBytesMax,
  heldRequestBytesMax,
} from "#transport/http/request-body.ts";

const [long, short] = [shortRequestBytesMax + 1, shortRequestBytesMax];

test("room for that number of bytes and no more, and again when some are given back", () => {
  const room = new BodyMemory();
  const [first, second, third] = [room.share(), room.share(), room.share()];
  expect([first.reserve(heldRequestBytesMax), second.reserve(long), third.reserve(short)]).toEqual([
    true,
    false,
    true,
  ]);
  third.end();
  expect(second.reserve(long)).toBe(false);
  first.end();
  first.end();
  expect([
    first.reserve(heldRequestBytesMax - long),
    second.reserve(long),
    third.reserve(long),
  ]).toEqual([true, true, false]);
});

test("a body takes room as it grows, once, and keeps it where it may not grow", () => {
  const room = new BodyMemory();
  const [growing, further] = [room.share(), room.share()];
  for (const bytes of [short, long, long, short, heldRequestBytesMax - long])
    expect(growing.reserve(bytes)).toBe(true);
  expect([further.reserve(long), growing.reserve(heldRequestBytesMax)]).toEqual([true, false]);
  expect([room.share().reserve(long), growing.reserve(heldRequestBytesMax - long)]).toEqual([
    false,
    true,
  ]);
  growing.end();
  expect(room.share().reserve(heldRequestBytesMax - long)).toBe(true);
});

test.each([
  [{}, 0],
  [{ "content-length": "12" }, 12],
  [{ "content-length": "0" }, 0],
  [{ "content-length": String(requestBytesMax + 1) }, requestBytesMax],
  [{ "content-length": "12, 12" }, 0],
  [{ "transfer-encoding": "chunked" }, 0],
])("%j: %i bytes are announced", (headers, bytes) => {
  expect(readContentLength(new Headers(headers))).toBe(bytes);
});
