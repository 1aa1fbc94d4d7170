import { expect, test } from "bun:test";
import {
  classifyBody,
  hasUnsupportedType,
  simplifyContentType,
} from "#transport/http/answer-body.ts";

test.each([
  ["POST", 200, "application/json; charset=utf-8", "whole"],
  ["POST", 200, "Text/Event-Stream", "events"],
  ["POST", 200, "text/html", undefined],
  ["POST", 200, "application/json-seq", undefined],
  ["POST", 307, "application/json", "whole"],
  ["POST", 300, "text/html", "whole"],
  ["POST", 304, "text/html", "whole"],
  // Clients read these whatever their type.
  ["POST", 500, "text/html", "whole"],
  ["GET", 200, "text/html", "events"],
  ["GET", 405, "text/event-stream", undefined],
  ["GET", 302, "text/event-stream", undefined],
  ["DELETE", 500, "text/html", undefined],
] as const)("%s with status %d and %s: %p", (method, status, type, form) => {
  const headers = new Headers({ "content-type": type });
  expect(classifyBody(method, { status, headers })).toBe(form);
});

test("a redirect has no message, and is one only where clients can follow it", () => {
  const forms = (
    [
      [307, "/x"],
      [302, "/x"],
      [300, "/x"],
      [307, "http://["],
    ] as const
  ).map(([status, location]) =>
    classifyBody("POST", { status, headers: new Headers({ location }) }),
  );
  expect(forms).toEqual([undefined, undefined, "whole", "whole"]);
});

test.each([
  [200, "application/json", false],
  [200, "text/event-stream;charset=x", false],
  [200, "text/html", true],
  [200, "application/jsonx", true],
  [200, "text/event-stream, application/json", true],
  [200, "", true],
  [202, "text/html", false],
  [204, "", false],
  [500, "text/html", false],
])("status %d with %j is unreadable: %p", (status, type, isOne) => {
  expect(hasUnsupportedType({ status, headers: new Headers({ "content-type": type }) })).toBe(
    isOne,
  );
});

test.each([
  ["application/json", "application/json"],
  ["Text/Event-Stream; charset=UTF-8", "Text/Event-Stream; charset=UTF-8"],
  ["application/json; charset=utf-16", "application/json"],
  ['text/event-stream; a="application/json"', "text/event-stream"],
])("all clients read %s as %s", (type, plain) => {
  const headers = simplifyContentType(new Headers({ "content-type": type, "x-own": "1" }));
  expect([headers.get("content-type"), headers.get("x-own")]).toEqual([plain, "1"]);
});
