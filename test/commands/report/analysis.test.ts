import { describe, expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import { report } from "#commands/report/command.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import type { MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder, thrownBy } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { otherReportSchema } from "../../support/report-schemas.ts";

const hash = (number: number): string => String(number).padStart(4, "0").padEnd(64, "0");

const records = [
  sessionRecord({ seq: 0 }),
  ...Array.from({ length: 19 }, (_, at) =>
    callRecord({ seq: at + 1, tool: "read", output_tokens: 1_000, arguments_sha256: hash(at) }),
  ),
  callRecord({ seq: 20, tool: "read", output_tokens: 30_000, arguments_sha256: hash(99) }),
];

async function printed(raw: RawOptions, input: readonly MeterRecord[] = records, times = 1) {
  using folder = new Folder();
  const { io, stdout, stderr } = fakeIo();
  const file = folder.file("r.ndjson", input.map(formatRecordLine).join(""));
  const operands = Array.from({ length: times }, () => file);
  const options = parseReportOptions({
    options: { timezone: "UTC", ...raw },
    operands,
    child: undefined,
  });
  expect(await report(options, io)).toEqual({ code: 0 });
  expect(stderr()).toBe("");
  return stdout();
}

const findReadLine = (text: string) => text.split("\n").find((line) => line.includes("read:"));

describe("report --advice", () => {
  test("prints the change with its tokens and the command that does it", async () => {
    const text = await printed({ advice: true });
    expect(text).toContain("mcp-meter: advice for all days, UTC");
    expect(text).toContain(
      "~−28,010  garden · read: 100% of all tokens, 1 of 20 calls above 2,000 tokens; ask for less with a parameter of the tool, or limit them:\n          mcp-meter wrap garden -- --budget 'read=2k:truncate'",
    );
  });

  test("is the same for a file that is given twice, and valid as JSON", async () => {
    const once = await printed({ advice: true, json: true });
    expect(await printed({ advice: true, json: true }, records, 2)).toBe(once);
    const validate = otherReportSchema("advice");
    validate(JSON.parse(once));
    expect(validate.errors ?? []).toEqual([]);
    expect(JSON.parse(once).blocks[0]).toMatchObject({
      estimation: { estimator: "chars3" },
      advice: [{ kind: "large_answers", tokens: 28_010, limit: 2_000 }],
    });
  });

  test("for one tool, shares are of all tokens", async () => {
    const largeCall = callRecord({ seq: 900, tool: "write", output_tokens: 62_000 });
    const all = await printed({ advice: true }, [...records, largeCall]);
    const ofTool = await printed({ advice: true, tool: ["read"] }, [...records, largeCall]);
    expect(findReadLine(all)).not.toContain("100%");
    expect(findReadLine(ofTool)).toBe(findReadLine(all));
    expect(await printed({ advice: true, tool: ["write"] })).not.toContain("read:");
  });

  test("prints one line for a period without records; knows a session from before it", async () => {
    expect(await printed({ advice: true, since: "2026-10-01" })).toBe(
      "mcp-meter: no records for 2026-10-01 until now, UTC\n",
    );
    const early = [sessionRecord({ ts: "2026-08-31T23:00:00.000Z" }), ...records.slice(1)];
    const json = await printed({ advice: true, json: true, since: "2026-09-01" }, early);
    const [block, ...others] = JSON.parse(json).blocks;
    expect(others).toEqual([]);
    expect(block.advice).toHaveLength(1);
  });
});

describe("report --sequences", () => {
  test("prints the tools that are called one after the other, ten of them", async () => {
    const calls = Array.from({ length: 12 }, (_, at) =>
      callRecord({ seq: 100 + at, tool: `t${at}`, output_tokens: 1_000 * (12 - at) }),
    );
    const text = await printed({ sequences: true }, calls);
    expect(text).toMatch(/first +then +times +tokens +share\n\S+ · t0 +\S+ · t1 +1 +~23,\d+ +\d+%/);
    expect(text).toContain("1 more sequence; --top N prints the N largest");
    const json = await printed({ sequences: true, json: true, top: "2" }, calls);
    const validate = otherReportSchema("sequences");
    expect(validate(JSON.parse(json)) ? [] : validate.errors).toEqual([]);
    expect(JSON.parse(json)).toMatchObject({ sequences: [{ times: 1 }, { times: 1 }], more: 9 });
    expect(await printed({ sequences: true }, calls.slice(0, 1))).toContain(
      "no calls that follow each other",
    );
  });
});

describe("report --what-if", () => {
  test("replays each budget on its own over the calls, each once", async () => {
    const budgets = ["read=2k", "read=2k:truncate", "20k/session"];
    const json = await printed({ "what-if": budgets, json: true }, records, 2);
    const validate = otherReportSchema("replay");
    validate(JSON.parse(json));
    expect(validate.errors ?? []).toEqual([]);
    const tokens = 19 * 1_010 + 30_010;
    expect(JSON.parse(json).budgets).toEqual([
      { budget: "read=2k", action: "error", calls: 20, breaches: 1, tokens, spared_tokens: 29_900 },
      {
        budget: "read=2k:truncate",
        action: "truncate",
        calls: 20,
        breaches: 1,
        tokens,
        spared_tokens: 28_010,
      },
      {
        budget: "20k/session",
        action: "error",
        calls: 20,
        breaches: 1,
        tokens,
        spared_tokens: 29_900,
      },
    ]);
    const text = await printed({ "what-if": budgets });
    expect(text).toContain("budgets replayed over the calls of all days, UTC");
    expect(text).toContain(
      "calls that a model would make only because of a refusal are not counted",
    );
  });

  test("counts for each user of a session", async () => {
    const [, , ...later] = records;
    const session_id = "of ada";
    const input = [
      ...records,
      sessionRecord({ session_id, user: "ada" }),
      ...later.map((record) => ({ ...record, session_id })),
    ];
    const what = ["20k/day", "20k/day/user"];
    const { budgets } = JSON.parse(await printed({ "what-if": what, json: true }, input));
    expect(budgets).toMatchObject([{ breaches: 20 }, { breaches: 2 }]);
  });

  test("over a period without calls is one line", async () => {
    const text = await printed({ "what-if": ["1k"], since: "2026-10-01" });
    expect(text).toBe("mcp-meter: no calls in 2026-10-01 until now, UTC\n");
    expect(await printed({ "what-if": ["1k"], client: ["host"] })).toContain("1k");
  });

  test.each([
    [{ advice: true, "what-if": ["1k"] }, "--advice"],
    [{ advice: true, by: ["day"] }, "--by"],
    [{ advice: true, sequences: true }, "--sequences"],
    [{ sequences: true, "what-if": ["1k"] }, "--what-if"],
    [{ "what-if": ["1k"], top: "3" }, "--top"],
    [{ advice: true, format: "csv" }, "--format csv"],
    [{ "what-if": ["x=lots"] }, 'Cannot read budget "x=lots"'],
    [
      { "what-if": ["1k", "$5/day"] },
      'Cannot replay the budget "$5/day": records often lack the model of a call, and so its price; limit the tokens instead, as in 500k/day',
    ],
  ] as const)("%j is refused", (options, fragment) => {
    expect(
      thrownBy(() => parseReportOptions({ options, operands: [], child: undefined })),
    ).toContain(fragment);
  });
});
