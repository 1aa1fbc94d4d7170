import { describe, expect, test } from "bun:test";
import { renderMetrics } from "#commands/metrics/command.ts";
import { answerUsage } from "#commands/mcp/usage-tool.ts";
import { report } from "#commands/report/command.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import { Ledgers } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";
import { renderSummaries } from "#screens/renderers/index.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { fortnightNowMs, madeFortnight } from "../../support/made-fortnight.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../../support/made-records.ts";
import { servedMachine } from "../../support/served.ts";

const at = (seq: number) => ({ seq, ts: new Date(fortnightNowMs - 60_000 + seq).toISOString() });

/** Every outcome, a repeat, an answer that was cut, and duplicate text. */
const session: readonly MeterRecord[] = [
  sessionRecord(at(0)),
  definitionsRecord({ ...at(1), total_tokens: 900, resident_tokens: 700 }),
  callRecord({
    ...at(2),
    input_tokens: 11,
    output_tokens: 300,
    total_tokens: 311,
    wire_tokens: 800,
  }),
  callRecord({
    ...at(3),
    input_tokens: 12,
    output_tokens: 5,
    total_tokens: 17,
    outcome: "tool_error",
  }),
  callRecord({
    ...at(4),
    input_tokens: 13,
    output_tokens: 40,
    total_tokens: 53,
    outcome: "refused",
  }),
  callRecord({
    ...at(5),
    input_tokens: 14,
    output_tokens: 41,
    total_tokens: 55,
    outcome: "refused",
    output_bytes: 0,
  }),
  callRecord({
    ...at(6),
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    outcome: "cancelled",
  }),
  callRecord({
    ...at(7),
    input_tokens: 15,
    output_tokens: 0,
    total_tokens: 15,
    outcome: "abandoned",
  }),
  callRecord({
    ...at(8),
    input_tokens: 16,
    output_tokens: 77,
    total_tokens: 93,
    duplicate_tokens: 33,
  }),
  endRecord(at(9)),
];

/** The heads of tables, and the members of JSON that have the same number. */
const members = {
  calls: "calls",
  errors: "errors",
  refused: "refused",
  withheld: "withheld",
  cancelled: "cancelled",
  abandoned: "abandoned",
  repeats: "repeated_calls",
  args: "input_tokens",
  result: "output_tokens",
  wire: "wire_tokens",
  duplicate: "duplicate_tokens",
  max: "max_tokens",
  "in calls": "total_tokens",
  tokens: "context_tokens",
} as const;

type Head = keyof typeof members;

type Numbers = { readonly [head in Head]?: number };

const heads = Object.keys(members) as readonly Head[];

const split = (line: string): readonly string[] => line.trim().split(/ {2,}/);

/** The last line of the first table under a line that begins with `first`. */
function readLastRow(text: string, first: string): Numbers {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.startsWith(`${first} `));
  const length = lines.slice(from).findIndex((line) => line === "");
  const names = split(lines[from] ?? "");
  const cells = split(lines[length < 0 ? lines.length - 1 : from + length - 1] ?? "");
  const numbers = cells
    .slice(cells.length - names.length)
    .map((cell) => cell.replaceAll(/[~,]/g, ""));
  return Object.fromEntries(
    heads.flatMap((head) => {
      const index = names.indexOf(head);
      return index < 0 ? [] : [[head, Number(numbers[index])]];
    }),
  );
}

function sumCsv(text: string): Numbers {
  const [first = "", ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const names = [...first];
  return Object.fromEntries(
    heads.map((head) => {
      const index = names.indexOf(members[head]);
      const numbers = rows.map((row) => Number(row[index]));
      const sum = numbers.reduce((total, number) => total + number, 0);
      return [head, head === "max" ? Math.max(...numbers) : sum];
    }),
  );
}

for (const [name, sessions] of [
  ["one session", [session]],
  ["a fortnight of four clients", madeFortnight()],
] as const) {
  describe(`the numbers of ${name} are equal`, async () => {
    using machine = servedMachine(sessions);
    const env = { XDG_STATE_HOME: machine.folder.path };
    const ask = async (options: {
      readonly [option: string]: boolean | string | readonly string[];
    }) => {
      const { io, stdout } = fakeIo({ env });
      const chosen = { timezone: "UTC", since: "14d", by: ["server"], ...options };
      await report(
        parseReportOptions({ options: chosen, operands: [], child: [] }),
        io,
        fortnightNowMs,
      );
      return stdout();
    };
    const { sum } = JSON.parse(await ask({ json: true }));
    const expected: Numbers = Object.fromEntries(
      heads.map((head) => [head, sum.totals[members[head]]]),
    );
    const csv = await ask({ format: "csv" });
    const table = await ask({ wide: true });
    const context = { ...machine.context, now: () => fortnightNowMs };
    const served = await answerUsage({ by: "server", since: "14d" }, context, () => true);
    const ledgers = new Ledgers();
    for (const record of sessions.flat()) ledgers.add(record);
    const summaries = ledgers.summarize();
    const { text: metrics } = await renderMetrics(
      { files: [], sinceMs: 0 },
      fakeIo({ env }).io,
      () => undefined,
    );

    test("in JSON and CSV", () => {
      expect(sumCsv(csv)).toEqual(expected);
    });

    test("in JSON and every column of the table", () => {
      expect(readLastRow(table, "server")).toEqual(expected);
    });

    test("in JSON and what an agent is told", () => {
      const told = readLastRow(served, "server");
      expect(Object.keys(told).length).toBeGreaterThan(1);
      expect(expected).toMatchObject(told);
    });

    test("in JSON and the metrics", () => {
      const parts = metrics.matchAll(/^mcp_meter_tokens_total\{.*\} (\d+)$/gm);
      const all = [...parts].reduce((total, [, tokens]) => total + Number(tokens), 0);
      const counts = metrics.matchAll(/^mcp_meter_call_tokens_count\{.*\} (\d+)$/gm);
      const calls = [...counts].reduce((total, [, count]) => total + Number(count), 0);
      expect({ all, calls }).toEqual({ all: sum.totals.context_tokens, calls: sum.totals.calls });
    });

    if (sessions.length === 1) {
      test("in JSON and the summary at its end", () => {
        const shown = readLastRow(renderSummaries("table", summaries, { color: false }), "tool");
        expect(Object.keys(shown)).toEqual(
          expect.arrayContaining(["calls", "errors", "refused", "withheld", "args", "in calls"]),
        );
        expect(expected).toMatchObject(shown);
      });
    }
  });
}
