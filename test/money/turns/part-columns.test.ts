import { expect, test } from "bun:test";
import { followedPricesMax } from "#limits/records.ts";
import { PartColumns } from "#money/turns/part-columns.ts";

test("parts move to the beginning, and get more room only where they need it", () => {
  const columns = new PartColumns();
  const { room } = columns;
  columns.starts[room - 1] = 7;
  columns.marks[(room - 1) * followedPricesMax + 2] = 9;
  columns.move(room - 1, room);
  expect([columns.room, columns.starts[0], columns.marks[2]]).toEqual([room, 7, 9]);
  columns.move(0, room);
  expect([columns.room, columns.starts[0], columns.marks[2]]).toEqual([2 * room, 7, 9]);
  expect([columns.starts[1], columns.marks[followedPricesMax + 2]]).toEqual([0, 0]);
});
