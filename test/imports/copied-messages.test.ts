import { expect, test } from "bun:test";
import { withoutCopies } from "#imports/copied-messages.ts";
import type { RequestEvent } from "#imports/log-event.ts";
import { requestLine } from "../support/logs.ts";

const line = (message: string, copy?: string, request: string | null = null): RequestEvent =>
  requestLine({
    conversation: `of ${message}`,
    keys: { message, request, line: null, ...(copy === undefined ? {} : { copy }) },
  });

test("a copy goes with all lines of its message, the first message stays", () => {
  const events = [
    line("a", "x"),
    line("a", undefined, "1"),
    line("b", "x"),
    line("b", undefined, "2"),
    line("c"),
  ];
  const { originals, copied } = withoutCopies(events);
  expect(originals.map(({ keys }) => keys.message)).toEqual(["a", "a", "c"]);
  expect(copied).toEqual([{ conversation: "of b", original: "of a" }]);
});

test("a message with two states is not a copy of itself, and no copies change nothing", () => {
  const events = [line("a", "x"), line("a", "y"), line("b", "y")];
  expect(withoutCopies(events).originals).toHaveLength(3);
  expect(withoutCopies([line("a"), line("a")]).copied).toEqual([]);
});
