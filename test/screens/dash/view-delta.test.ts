import { expect, test } from "bun:test";
import {
  type Arbitrary,
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  nat,
  property,
  record,
  string,
} from "fast-check";
import { type View, diffViews, applyDelta } from "#screens/dash/view.ts";

const rows = dictionary(string(), record({ tokens: nat(3), name: string() }), {
  noNullPrototype: true,
});

const views: Arbitrary<View> = record({
  head: record({
    screen: constant("overview" as const),
    command: constantFrom("a", "b"),
    notes: array(string()),
    servers: constant([]),
    clients: constant([]),
    estimators: constant([]),
    timezone: constant("UTC"),
    first: constant(null),
    last: constant(null),
    recorded_days: constant(30),
    estimation: constant(null),
    counted_by: constant([]),
  }),
  tables: record({ tools: rows, servers: rows }),
});

test("the delta of two views makes the second of the first, also as JSON", () => {
  assert(
    property(views, views, (before, next) => {
      const delta = diffViews(before, next);
      if (!delta) {
        expect(next).toEqual(before);
        return;
      }
      const sent: typeof delta = JSON.parse(JSON.stringify(delta));
      expect(applyDelta(before, sent)).toEqual(next);
    }),
  );
});

test("a delta has the changed rows alone, and unchanged tables stay the same objects", () => {
  const head = {
    screen: "overview",
    command: "",
    notes: [],
    servers: [],
    clients: [],
    estimators: [],
    timezone: "UTC",
    first: null,
    last: null,
    recorded_days: 30,
    estimation: null,
    counted_by: [],
  } as const;
  const before: View = { head, tables: { a: { x: { n: 1 }, y: { n: 2 } }, b: { z: { n: 3 } } } };
  const next: View = { head, tables: { a: { x: { n: 1 }, w: { n: 4 } }, b: { z: { n: 3 } } } };
  const delta = diffViews(before, next);
  expect(delta).toEqual({ tables: { a: { set: { w: { n: 4 } }, gone: ["y"] } } });
  const made = delta && applyDelta(before, delta);
  expect(made?.tables["b"]).toBe(before.tables["b"] ?? {});
  expect(diffViews(next, next)).toBeUndefined();
});
