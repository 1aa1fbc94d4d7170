import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { MeterRecord } from "#records/record.ts";
import { runCli } from "../../src/cli.ts";
import { root } from "../house/tree.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";
import {
  breachRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../support/made-records.ts";
import { has } from "../support/needs.ts";
import { readDocument } from "./documents.ts";

setDefaultTimeout(60_000);

type Row = Readonly<Record<string, unknown>>;

const queries = join(root, "docs/collect/duckdb");

let folder: Folder;

function sessionOn(machine: string | undefined, number: number): MeterRecord[] {
  const estimator = number % 3 === 0 ? "o200k" : "chars3";
  const common = { session_id: `s${number}`, server: number % 2 === 0 ? "garden" : "shed 'x'" };
  const outcomes = ["ok", "tool_error", "rpc_error", "refused", "cancelled", "abandoned"] as const;
  const first = sessionRecord({ ...common, estimator, client_name: null });
  const second = sessionRecord({
    ...common,
    seq: 1,
    estimator,
    client_name: number % 2 === 0 ? "host" : null,
    ...(machine === undefined ? {} : { machine }),
  });
  const calls = Array.from({ length: 12 + number }, (_, at) =>
    callRecord({
      ...common,
      seq: at + 3,
      ts: `2026-09-0${1 + (at % 2)}T${at % 4 === 0 ? "00:00:00.000" : "23:59:59.999"}Z`,
      tool: at % 5 === 4 ? null : `tool ${at % 3}`,
      method: at % 5 === 4 ? "resources/read" : "tools/call",
      outcome: outcomes[at % outcomes.length] ?? "ok",
      input_tokens: 7 * at + number,
      output_tokens: 1_000_003 * (at + 1) * (number + 1),
    }),
  );
  return [
    first,
    second,
    definitionsRecord({ ...common, seq: 2 }),
    ...calls,
    definitionsRecord({ ...common, seq: 90, tools: [], tools_total: 0 }),
    breachRecord({ ...common, seq: 91, is_enforced: number % 2 === 0 }),
    endRecord({ ...common, seq: 92 }),
    endRecord({ ...common, seq: 93 }),
  ];
}

const lines = (records: readonly object[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join("");

beforeAll(() => {
  folder = new Folder();
  for (const [machine, numbers] of [
    ["m1", [0, 1, 2]],
    ["m2", [3, 4]],
    [undefined, [5]],
  ] as const) {
    const place = join("collected", machine ?? "unknown", "sessions", "2026-09-01");
    mkdirSync(folder.at(place), { recursive: true });
    for (const number of numbers)
      folder.file(join(place, `${number}.ndjson`), lines(sessionOn(machine, number)));
  }
  mkdirSync(folder.at("collected/again"));
  // A second copy, with half a line at its end, lines of others, and records of a newer major version.
  const newer = sessionOn("m9", 0).map((one) => ({
    ...one,
    session_id: "new",
    schema_version: "2.0",
  }));
  const foreign = '{"hello": "world"}\n[1]\n"text"\nnot json\n\n';
  folder.file(
    "collected/again/copy.ndjson",
    `${lines(sessionOn("m1", 0))}${foreign}${lines(newer)}{"type":"call","sess`,
  );
  folder.file(
    "collected/again/imported.ndjson",
    lines([
      { ...imported, seq: 0, type: "conversation", client: "codex" },
      ...[0, 1, 2].map((index) => ({ ...imported, ...turn, seq: index + 1, index })),
    ]),
  );
});

afterAll(() => folder[Symbol.dispose]());

const imported = {
  schema_version: "1.1",
  ts: "2026-09-01T12:00:00.000Z",
  session_id: "i1",
  conversation_id: "c1",
};

const turn = {
  type: "turn",
  model: "m",
  uncached_tokens: 100,
  cache_read_tokens: 1_000,
  output_tokens: 10,
  native_cost_usd: 0.125,
};

function query(name: string): Row[] {
  const files = ["views", name].map((one) => join(queries, `${one}.sql`));
  const script = join(root, "test/support/duckdb.ts");
  const run = Bun.spawnSync([process.execPath, script, ...files], { cwd: folder.path });
  if (run.exitCode !== 0) throw new Error(run.stderr.toString());
  const rows: Row[] = JSON.parse(run.stdout.toString());
  return rows;
}

async function reported(...by: readonly string[]): Promise<Row[]> {
  const axes = by.flatMap((axis) => ["--by", axis]);
  const files = ["m1", "m2", "unknown", "again/copy.ndjson"].map((name) =>
    folder.at("collected", name),
  );
  const argv = ["report", ...files, ...axes, "--json", "--timezone", "UTC"];
  const { io, stdout } = fakeIo({ argv });
  expect(await runCli(io)).toEqual({ code: 0 });
  const { blocks } = JSON.parse(stdout());
  return blocks.flatMap(
    ({
      estimation,
      tables,
    }: {
      estimation: { estimator: string } | null;
      tables: { rows: Row[] }[];
    }) =>
      (tables[0]?.rows ?? []).map((row) => ({ ...row, estimator: estimation?.estimator ?? null })),
  );
}

const texts = (rows: readonly Row[], names: readonly string[]): string[] =>
  rows.map((row) => names.map((name) => `${name}=${String(row[name])}`).join(" ")).toSorted();

const sums = [
  "sessions",
  "calls",
  "errors",
  "refused",
  "input_tokens",
  "output_tokens",
  "total_tokens",
];

describe.if(has("duckdb", "the queries of docs/collect"))(
  "the queries for DuckDB equal the report",
  () => {
    const rows: readonly (readonly [name: string, axes: string[], keys: string[]])[] = [
      ["by-day", ["day"], ["day"]],
      ["by-server", ["server"], ["server"]],
      ["by-tool", ["tool"], ["server", "tool"]],
      ["by-machine", ["machine"], ["machine"]],
      ["by-client", ["client"], ["client"]],
    ];
    for (const [name, axes, keys] of rows) {
      test(name, async () => {
        const names = ["estimator", ...keys, ...sums];
        const report = (await reported(...axes)).filter(({ calls }) => calls !== 0);
        const found = query(name);
        expect(texts(found, names)).toEqual(texts(report, names));
        expect(found.length).toBeGreaterThan(1);
      });
    }

    test("definitions", async () => {
      const names = ["estimator", "server", "definition_lists", "listed_tokens", "resident_tokens"];
      const found = query("definitions");
      expect(texts(found, names)).toEqual(texts(await reported("server"), names));
      expect(found.length).toBeGreaterThan(1);
    });

    test("budgets, and the cost that clients noted, have the numbers of the records", () => {
      const breaches = query("budgets").map(({ machine, breaches: all, enforced }) => [
        machine,
        all,
        enforced,
      ]);
      expect(breaches).toEqual([
        ["m1", "2", "2"],
        ["m1", "1", "0"],
        ["m2", "1", "1"],
        ["m2", "1", "0"],
        [null, "1", "0"],
      ]);
      expect(query("imported-cost")).toEqual([
        {
          day: "2026-09-01",
          client: "codex",
          model: "m",
          requests: "3",
          uncached_tokens: "300",
          cache_read_tokens: "3000",
          output_tokens: "30",
          native_cost_usd: 0.375,
        },
      ]);
    });
  },
);

test("docs/collect.md names each file of queries", () => {
  const text = readDocument("docs/collect.md");
  const files = readdirSync(join(root, "docs/collect/duckdb"));
  expect(files.filter((file) => !text.includes(`collect/duckdb/${file}`))).toEqual([]);
  expect(files).not.toEqual([]);
});
