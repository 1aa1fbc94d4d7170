import { expect, test } from "bun:test";
import { endsSession } from "#http/session-end.ts";

test.each([
  ["DELETE", 200, false, true],
  ["DELETE", 202, true, true],
  ["DELETE", 404, true, true],
  // Such a server keeps its sessions.
  ["DELETE", 405, false, false],
  ["POST", 404, false, true],
  ["GET", 404, false, true],
  ["POST", 404, true, false],
  ["POST", 200, false, false],
])(
  "%s, answered with %d, limits enforced: %p, ends a session: %p",
  (method, status, isLimited, ends) => {
    expect(endsSession(method, status, isLimited)).toBe(ends);
  },
);
