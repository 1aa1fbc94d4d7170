import { expect, test } from "bun:test";
import { isEventStream, mediaType } from "#endpoint/media-type.ts";

test.each([
  [{}, ""],
  [{ "content-type": "Application/JSON; charset=utf-8" }, "application/json"],
  [{ "content-type": " text/event-stream " }, "text/event-stream"],
  [{ "content-type": ";charset=utf-8" }, ""],
])("the media type of %j is %p", (headers: Record<string, string>, type) => {
  expect(mediaType(new Headers(headers))).toBe(type);
  expect(isEventStream(new Headers(headers))).toBe(type === "text/event-stream");
});
