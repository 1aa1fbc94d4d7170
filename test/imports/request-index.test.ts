import { expect, test } from "bun:test";
import { RequestIndex } from "#imports/request-index.ts";
import { requestLine } from "../support/logs.ts";

const line = (message: string | null, request: string | null, facts: object = {}) =>
  requestLine({ keys: { message, request, line: null }, ...facts });

test("a line without a message is found by its own id, where it has one", () => {
  const index = new RequestIndex<string>();
  const own = requestLine({ keys: { message: null, request: "r", line: "l" } });
  expect(index.find(own)).toBeUndefined();
  index.remember(own, "one");
  expect(index.find(own)).toBe("one");
  index.remember(line(null, null), "none");
  expect(index.find(line(null, null))).toBeUndefined();
});

test("a line is found by its request id, or where either has none", () => {
  const index = new RequestIndex<string>();
  index.remember(line("m", "a"), "one");
  expect(index.find(line("m", "a"))).toBe("one");
  expect(index.find(line("m", null))).toBe("one");
  expect(index.find(line("m", "b"))).toBeUndefined();
  index.remember(line("m", "b"), "two");
  index.remember(line("m", "c"), "three");
  index.remember(line("m", "c"), "never");
  expect(["a", "b", "c"].map((id) => index.find(line("m", id)))).toEqual(["one", "two", "three"]);
  expect(index.find(line("m", null))).toBe("one");
});

test("a request without an id gets that of the next line, and no other", () => {
  const index = new RequestIndex<string>();
  index.remember(line("m", null), "one");
  expect(index.find(line("m", "a"))).toBe("one");
  index.remember(line("m", "a"), "one");
  expect(index.find(line("m", "b"))).toBeUndefined();
});

test("a sub-agent's line is found by its message alone", () => {
  const index = new RequestIndex<string>();
  index.remember(line("m", "a"), "one");
  expect(index.find(line("m", "b", { isSideChain: true }))).toBe("one");
});
