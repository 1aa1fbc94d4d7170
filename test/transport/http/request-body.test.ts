import { expect, test } from "bun:test";
import { announcedBytes, BodyRoom, shortRequestBytesMax } from "#transport/http/request-body.ts";
import { heldRequestBytesMax, requestBytesMax } from "#kit/limits.ts";

const [long, short] = [shortRequestBytesMax + 1, shortRequestBytesMax];

test("room for that number of bytes and no more, and again when some are given back", () => {
  const room = new BodyRoom();
  const [first, second, third] = [room.share(), room.share(), room.share()];
  expect([first.grow(heldRequestBytesMax), second.grow(long), third.grow(short)]).toEqual([
    true,
    false,
    true,
  ]);
  third.end();
  expect(second.grow(long)).toBe(false);
  first.end();
  first.end();
  expect([first.grow(heldRequestBytesMax - long), second.grow(long), third.grow(long)]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a body takes room as it grows, once, and keeps it where it may not grow", () => {
  const room = new BodyRoom();
  const [growing, other] = [room.share(), room.share()];
  for (const bytes of [short, long, long, short, heldRequestBytesMax - long])
    expect(growing.grow(bytes)).toBe(true);
  expect([other.grow(long), growing.grow(heldRequestBytesMax)]).toEqual([true, false]);
  expect([room.share().grow(long), growing.grow(heldRequestBytesMax - long)]).toEqual([
    false,
    true,
  ]);
  growing.end();
  expect(room.share().grow(heldRequestBytesMax - long)).toBe(true);
});

test.each([
  [{}, 0],
  [{ "content-length": "12" }, 12],
  [{ "content-length": "0" }, 0],
  [{ "content-length": String(requestBytesMax + 1) }, requestBytesMax],
  [{ "content-length": "12, 12" }, 0],
  [{ "transfer-encoding": "chunked" }, 0],
])("%j: %i bytes are announced", (headers, bytes) => {
  expect(announcedBytes(new Headers(headers))).toBe(bytes);
});
