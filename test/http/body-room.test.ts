import { expect, test } from "bun:test";
import { BodyRoom, expectedBytes } from "#http/body-room.ts";
import { heldRequestBytesMax, requestBytesMax, shortRequestBytesMax } from "#limits/http.ts";

test("room for so many bytes and no more, and again when some are given back", () => {
  const room = new BodyRoom();
  const [long, short] = [shortRequestBytesMax + 1, shortRequestBytesMax];
  expect([room.take(heldRequestBytesMax), room.take(long), room.take(short)]).toEqual([
    true,
    false,
    true,
  ]);
  room.give(short);
  expect(room.take(long)).toBe(false);
  room.give(heldRequestBytesMax);
  expect([room.take(heldRequestBytesMax - long), room.take(long), room.take(long)]).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  [{}, 0],
  [{ "content-length": "12" }, 12],
  [{ "content-length": "0" }, 0],
  [{ "content-length": String(requestBytesMax + 1) }, requestBytesMax],
  [{ "content-length": "many" }, 0],
  [{ "transfer-encoding": "chunked" }, requestBytesMax],
])("%j: %i bytes", (headers, bytes) => {
  expect(expectedBytes(new Headers(headers))).toBe(bytes);
});
