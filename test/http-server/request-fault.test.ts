import { expect, test } from "bun:test";
import { HttpFault } from "#http1/http-fault.ts";
import { rejectedStatus, RequestFault } from "#http-server/request-fault.ts";

test.each([
  [new RequestFault(413), 413],
  [new HttpFault("HPE_HEADER_OVERFLOW"), 431],
  [new HttpFault("HPE_INVALID_ANSWER"), 400],
  // Headers that the runtime rejects.
  [new TypeError("Header has an invalid value"), 400],
])("%p is answered with %d", (error, status) => {
  expect(rejectedStatus(error)).toBe(status as 400);
});
