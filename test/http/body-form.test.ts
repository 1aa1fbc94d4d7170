import { expect, test } from "bun:test";
import { bodyForm } from "#http/body-form.ts";

test.each([
  ["POST", 200, "application/json; charset=utf-8", "whole"],
  ["POST", 200, "Text/Event-Stream", "events"],
  ["POST", 200, "text/html", undefined],
  ["POST", 200, "application/json-seq", undefined],
  ["POST", 307, "application/json", "whole"],
  // Clients read these whatever their type.
  ["POST", 500, "text/html", "whole"],
  ["GET", 200, "text/html", "events"],
  ["GET", 405, "text/event-stream", undefined],
  ["GET", 302, "text/event-stream", undefined],
  ["DELETE", 500, "text/html", undefined],
] as const)("%s with status %d and %s: %p", (method, status, type, form) => {
  const headers = new Headers({ "content-type": type });
  expect(bodyForm(method, { status, headers })).toBe(form);
});
