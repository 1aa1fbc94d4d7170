import { expect, test } from "bun:test";
import { metricsText } from "#commands/metrics/metrics-text.ts";
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

async function text(files: readonly string[], sinceMs = -Infinity): Promise<string> {
  const told: string[] = [];
  const made = await metricsText({ files, sinceMs }, { env: {}, platform: "linux" }, (sentence) =>
    told.push(sentence),
  );
  expect(told).toEqual([]);
  return made;
}

test("a session counts once however often its file is given, and from the period on", async () => {
  using folder = new Folder();
  const [one, copy] = [folder.file("a.ndjson", session), folder.file("b.ndjson", session)];
  expect(results(await text([one, copy]))).toEqual([`mcp_meter_tokens_total{${labels}} 105`]);
  const since = Date.parse("2026-09-02T00:00:00Z");
  expect(results(await text([folder.path], since))).toEqual([
    `mcp_meter_tokens_total{${labels}} 5`,
  ]);
});

test("without files: the sessions and the budget counters of this machine, none of them yet", async () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  expect(
    await metricsText({ files: [], sinceMs: 0 }, { env, platform: "linux" }, () => undefined),
  ).toBe("");
  const nowhere = metricsText(
    { files: [], sinceMs: 0 },
    { env: {}, platform: "linux" },
    () => undefined,
  );
  expect(await nowhere.catch(String)).toContain("HOME or XDG_STATE_HOME");
});
