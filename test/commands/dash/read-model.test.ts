import { expect, spyOn, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { PageNotes } from "#commands/dash/page-data.ts";
import { fillModel } from "#commands/dash/live-model.ts";
import { DashModel } from "#screens/dash/model/model.ts";
import { writeTotals } from "#state/storage/prune/totals-file.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { sumContextTokens } from "#history/reports/usage-sums.ts";
import { dashModel, dashNowMs } from "../../support/dash-model.ts";
import { madeUsage } from "../../support/made-usage.ts";
import { servedMachine } from "../../support/served.ts";

const fromMs = Date.parse("2026-01-01T00:00:00.000Z");

const tokens = (model: DashModel): number =>
  model.listFacts("all").reduce((sum, { sums }) => sum + sumContextTokens(sums), 0);

test("has all records of the machine, and says which lines are not records", async () => {
  using machine = servedMachine(madeUsage());
  const folder = machine.folder.at("mcp-meter");
  const day = `${folder}/sessions/2026-11-22`;
  appendFileSync(`${day}/${readdirSync(day)[0]}`, '{"type":"call"}\nnot json\n');
  const model = new DashModel({ zone: new TimeZone("Europe/Berlin"), fromMs, nowMs: dashNowMs });
  const notes = new PageNotes();
  await fillModel(model, { folder, notes, prices: { book: undefined } });
  expect(tokens(model)).toBe(tokens(dashModel()));
  expect(notes.all.join("\n")).toContain("2 lines");
});

test("leaves out the files that the totals include, and are to be removed", async () => {
  using machine = servedMachine(madeUsage());
  const folder = machine.folder.at("mcp-meter");
  const names = readdirSync(`${folder}/sessions/2026-11-22`);
  const removing = names.map((name) => `sessions/2026-11-22/${name}`);
  const zone = new TimeZone("UTC");
  writeTotals(folder, { zone, removing, totals: [] });
  const model = new DashModel({ zone, fromMs, nowMs: dashNowMs });
  await fillModel(model, { folder, notes: new PageNotes(), prices: { book: undefined } });
  expect([names.length > 0, model.listFacts("all")]).toEqual([true, []]);
});

test("counts imports among the files to read", async () => {
  using machine = servedMachine(madeUsage());
  const folder = machine.folder.at("mcp-meter");
  const sessions = readdirSync(`${folder}/sessions/2026-11-22`).length;
  mkdirSync(`${folder}/imports`);
  machine.folder.file("mcp-meter/imports/codex.ndjson", "");
  const model = new DashModel({ zone: new TimeZone("UTC"), fromMs, nowMs: dashNowMs });
  const [notes, told] = [new PageNotes(), new Set<string>()];
  const setCurrent = spyOn(notes, "setCurrent").mockImplementation((_, text = "") => {
    told.add(text);
  });
  let ms = 0;
  const now = spyOn(performance, "now").mockImplementation(() => (ms += 1_000));
  try {
    await fillModel(model, { folder, notes, prices: { book: undefined } });
  } finally {
    setCurrent.mockRestore();
    now.mockRestore();
  }
  const files = sessions + 1;
  expect(told).toContain(`Reading records: file ${files} of ${files}`);
});

test("a machine without records has none", async () => {
  using machine = servedMachine([]);
  const model = new DashModel({ zone: new TimeZone("UTC"), fromMs, nowMs: dashNowMs });
  const notes = new PageNotes();
  await fillModel(model, {
    folder: machine.folder.at("mcp-meter"),
    notes,
    prices: { book: undefined },
  });
  expect([model.listFacts("all"), notes.all]).toEqual([[], []]);
});
