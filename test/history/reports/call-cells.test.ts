import { expect, test } from "bun:test";
import { CallCells, reportCellsMax } from "#history/reports/usage-cube.ts";
import { RepeatRoom } from "#history/reports/repeat-table.ts";
import { SeenRoom } from "#history/reports/record-filter.ts";
import { SessionState } from "#history/reports/session-state.ts";
import { callRecord } from "../../support/made-records.ts";

const newSession = (): SessionState => new SessionState("a", new SeenRoom(), new RepeatRoom());
const period = { range: 0, day: 20_000, detail: {} };

test("calls of one day, tool and model share a cell; a repeat counts where the later call does", () => {
  const [cells, session] = [new CallCells(), newSession()];
  const call = { arguments_sha256: "a".repeat(64), output_tokens: 90, input_tokens: 10 };
  cells.add(session, callRecord({ ...call, seq: 2 }), { range: 0, day: 20_001, detail: {} });
  cells.add(session, callRecord({ ...call, seq: 1 }), period);
  cells.add(session, callRecord({ seq: 3 }), period);
  cells.add(session, callRecord({ seq: 4, model: "m" }), period);
  cells.add(session, callRecord({ seq: 5 }), { range: 1, day: 20_000, detail: {} });
  const sums = [...session.cells.values()].map(({ range, day, sums: all }) => [
    range,
    day,
    all.calls,
    all.repeated_calls,
    all.repeated_tokens,
  ]);
  expect(sums).toEqual([
    [0, 20_001, 1, 1, 100],
    [0, 20_000, 2, 0, 0],
    [0, 20_000, 1, 0, 0],
    [1, 20_000, 1, 0, 0],
  ]);
});

test(`${reportCellsMax} cells fit; a call of a known cell still counts`, () => {
  const [cells, session] = [new CallCells(), newSession()];
  const add = (day: number): boolean =>
    cells.add(session, callRecord(), { range: 0, day, detail: {} });
  for (let day = 0; day < reportCellsMax; day += 1) add(day);
  expect([add(reportCellsMax), add(0)]).toEqual([false, true]);
});
