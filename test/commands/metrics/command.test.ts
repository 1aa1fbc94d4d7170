import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderMetrics } from "#commands/metrics/command.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, endRecord, sessionRecord } from "../../support/made-records.ts";

const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

const session = lines(
  sessionRecord(),
  callRecord({ seq: 1, ts: "2026-09-01T12:00:00.000Z" }),
  callRecord({ seq: 2, ts: "2026-09-02T12:00:00.000Z", output_tokens: 5 }),
  endRecord({ seq: 3 }),
);

const results = (made: string): string[] =>
  made.split("\n").filter((line) => line.includes('mcp_meter_part="result"'));

const labels =
  'mcp_meter_server="garden",mcp_meter_client="host",mcp_meter_estimator="chars3",mcp_method_name="tools/call",gen_ai_tool_name="search",mcp_meter_part="result"';

const samples = (made: string): string[] =>
  made.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

async function text(files: readonly string[], sinceMs = -Infinity): Promise<string> {
  const told: string[] = [];
  const made = await renderMetrics({ files, sinceMs }, { env: {}, platform: "linux" }, (sentence) =>
    told.push(sentence),
  );
  expect([told, made.countersFault]).toEqual([[], undefined]);
  return made.text;
}

test("a session counts once even if its file is given twice, from the start of the period", async () => {
  using folder = new Folder();
  const [original, copy] = [folder.file("a.ndjson", session), folder.file("b.ndjson", session)];
  expect(results(await text([original, copy]))).toEqual([`mcp_meter_tokens_total{${labels}} 105`]);
  const since = Date.parse("2026-09-02T00:00:00Z");
  expect(results(await text([folder.path], since))).toEqual([
    `mcp_meter_tokens_total{${labels}} 5`,
  ]);
});

test("without files: the sessions and the budget counters of this machine, none of them yet", async () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  const made = await renderMetrics(
    { files: [], sinceMs: 0 },
    { env, platform: "linux" },
    () => undefined,
  );
  expect(made.countersFault).toBeUndefined();
  expect(samples(made.text)).toEqual(["mcp_meter_counters_up 1"]);
  const nowhere = renderMetrics(
    { files: [], sinceMs: 0 },
    { env: {}, platform: "linux" },
    () => undefined,
  );
  expect(await nowhere.catch(String)).toContain("HOME or XDG_STATE_HOME");
});

test.each(["local", "closed", "open"])(
  "with a Redis that is away, everything but the use of budgets is there; calls are %s",
  async (policy) => {
    using folder = new Folder();
    const { text: present } = await renderMetrics(
      { files: [folder.file("a.ndjson", session)], sinceMs: -Infinity },
      { env: {}, platform: "linux" },
      () => undefined,
    );
    const day = join(folder.path, "mcp-meter", "sessions", "2026-09-01");
    mkdirSync(day, { recursive: true });
    writeFileSync(join(day, "a.ndjson"), session);
    const env = {
      XDG_STATE_HOME: folder.path,
      MCP_METER_COUNTERS: "redis://ann:canary@127.0.0.1:1",
      MCP_METER_ON_COUNTER_FAILURE: policy,
    };
    const made = await renderMetrics(
      { files: [], sinceMs: -Infinity },
      { env, platform: "linux" },
      () => undefined,
    );
    expect(samples(made.text)).toEqual([...samples(present), "mcp_meter_counters_up 0"]);
    expect(made.countersFault).toContain("the Redis at 127.0.0.1:1: connection refused");
  },
);
