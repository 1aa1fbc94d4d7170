import { expect, test } from "bun:test";
import { entriesOf, requestInside } from "#calls/inner-requests.ts";

const origin = { from: "server", size: 10, atMs: 3 } as const;

test("a priced request inside a message is a call without an id", () => {
  const params = { messages: [{ role: "user", content: { type: "text", text: "Hi" } }] };
  expect(requestInside({ method: "sampling/createMessage", params }, origin)).toMatchObject({
    method: "sampling/createMessage",
    from: "server",
    id: undefined,
    startedMs: 3,
    asked: { input: ["", "Hi"] },
  });
});

test.each([[{ method: "elicitation/create" }], [{ method: "roots/list" }], [{}], [null], ["x"]])(
  "%j has no price",
  (entry) => {
    expect(requestInside(entry, origin)).toBeUndefined();
  },
);

test("entries are the members of an object, and none of anything else", () => {
  expect(entriesOf({ a: 1, b: null })).toEqual([
    ["a", 1],
    ["b", null],
  ]);
  expect([null, undefined, "ab", [1]].map(entriesOf)).toEqual([[], [], [], []]);
});
