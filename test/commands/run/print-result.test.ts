import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { RawOptions } from "#commands/command.ts";
import { parseRunOptions } from "#commands/run/options.ts";
import type { SessionResult } from "#commands/run/recording.ts";
import { printResult } from "#commands/run/print-summary.ts";
import { Ledgers } from "#records/ledger.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

function makeResult(records: Parameters<Ledgers["add"]>[0][]): SessionResult {
  const ledger = new Ledgers();
  for (const record of records) ledger.add(record);
  const nothing = { droppedRecords: 0, foreignLineCount: 0 };
  return { summaries: ledger.summarize(), recordsPath: "/state/r.ndjson", ...nothing };
}

async function told(result: SessionResult, raw: RawOptions = {}) {
  const io = capturedIo();
  const sentences: string[] = [];
  const options = parseRunOptions({ options: raw, operands: [], child: ["garden"] });
  await printResult(result, options, io, (sentence) => void sentences.push(sentence));
  return { sentences, stderr: io.written.stderr, stdout: io.written.stdout };
}

const metered = makeResult([sessionRecord(), callRecord()]);
const empty = makeResult([]);

describe("printResult", () => {
  test("prints the summary below an empty line, and the path of the records", async () => {
    const { sentences, stderr, stdout } = await told(metered);
    expect(stderr).toStartWith("\n");
    expect(stderr).toContain("counted by");
    expect(sentences).toEqual(["Records are in /state/r.ndjson"]);
    expect(stdout).toBe("");
  });

  test("prints JSON as it is, and no path to a user who named the file or reads JSON", async () => {
    const json = await told(metered, { summary: "json" });
    expect(JSON.parse(json.stderr)).toMatchObject({ sessions: 1 });
    expect(json.sentences).toEqual([]);
    expect((await told(metered, { log: "r.ndjson" })).sentences).toEqual([]);
  });

  test("writes the summary to the file that was named", async () => {
    using folder = new Folder();
    const { stderr } = await told(metered, { "summary-file": folder.at("s.txt") });
    expect(stderr).toBe("");
    expect(readFileSync(folder.at("s.txt"), "utf8")).toContain("counted by");
  });

  test("prints only a hint about foreign lines for a session without messages", async () => {
    using folder = new Folder();
    const raw = { "summary-file": folder.at("s.txt") };
    expect(await told(empty, raw)).toEqual({ sentences: [], stderr: "", stdout: "" });
    const { sentences } = await told({ ...empty, foreignLineCount: 1 }, raw);
    expect(sentences).toMatchObject([expect.stringContaining("not JSON-RPC")]);
    expect(existsSync(folder.at("s.txt"))).toBe(false);
  });

  test("reports dropped records, also without a summary", async () => {
    const { sentences, stderr } = await told({ ...metered, droppedRecords: 2 }, { summary: "off" });
    expect(stderr).toBe("");
    expect(sentences).toMatchObject([expect.stringContaining("Dropped 2 records")]);
  });
});
