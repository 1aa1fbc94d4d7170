import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { RunningSummary } from "#commands/run/recording.ts";
import { Ledgers } from "#records/ledger.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { eventually } from "../../support/wait.ts";

describe("RunningSummary", () => {
  test("writes the summary so far, each time it saves", async () => {
    using folder = new Folder();
    const summaryFile = folder.at("s.json");
    const ledger = new Ledgers();
    const running = new RunningSummary({ summary: "json", summaryFile }, ledger);
    const calls = (): unknown => JSON.parse(readFileSync(summaryFile, "utf8")).total.calls;
    ledger.add(sessionRecord());
    ledger.add(callRecord());
    running.save();
    await eventually("the first summary", () => existsSync(summaryFile));
    expect(calls()).toBe(1);
    ledger.add(callRecord());
    running.save();
    expect(calls()).toBe(2);
  });

  test("writes nothing without a file, a format or a session", async () => {
    using folder = new Folder();
    const summaryFile = folder.at("s.json");
    const ledger = new Ledgers();
    const empty = new RunningSummary({ summary: "json", summaryFile }, ledger);
    empty.save();
    await Bun.sleep(1);
    empty.save();
    new RunningSummary({ summary: "off", summaryFile }, ledger).save();
    new RunningSummary({ summary: "json", summaryFile: undefined }, ledger).save();
    expect(existsSync(summaryFile)).toBe(false);
  });
});
