import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openPrices } from "#commands/price-options.ts";
import { answerUsage } from "#commands/mcp/usage-tool.ts";
import { servedAnswerTokensMax } from "#commands/mcp/answer-limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { rejectionOf } from "../../support/folder.ts";
import { findUnsafeText } from "../../support/hostile.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { madeUsage } from "../../support/made-usage.ts";
import { servedNowMs, servedMachine } from "../../support/served.ts";

const wanted = (): boolean => true;

const tokensIn = (text: string): number =>
  Math.round(loadTokenizer("o200k_base").count(text) * 1.55);

function session(id: string, server: string, ts: string): MeterRecord[] {
  const common = { session_id: id, server, ts, estimator: "o200k", estimation_encoding: "o200k" };
  return [
    sessionRecord(common),
    callRecord({ ...common, seq: 1, tool: "search", input_tokens: 10, output_tokens: 90 }),
  ];
}

const today = "2026-11-22T10:00:00.000Z";
const lastWeek = "2026-11-18T10:00:00.000Z";

describe("answerUsage", () => {
  test("is a table of the last day by tool, with few columns", async () => {
    using machine = servedMachine([
      session("a", "github", today),
      session("b", "memory", lastWeek),
    ]);
    expect(await answerUsage({}, machine.context, wanted))
      .toBe(`mcp-meter: 2026-11-21 12:00 until now, UTC

server  tool    calls  tokens  share
github  search      1    ~100   100%

counted by  o200k ●○○ a rough rule; ~ marks estimates`);
  });

  test("adds up the tokens of all estimators", async () => {
    const renamed = session("b", "memory", today).map((record) => ({
      ...record,
      estimator: "claude",
    }));
    const large = session("c", "large", today).map((record) => ({ ...record, output_tokens: 900 }));
    using machine = servedMachine([renamed, large]);
    const answer = await answerUsage({ by: "server" }, machine.context, wanted);
    expect(answer.indexOf("large")).toBeGreaterThan(0);
    expect(answer.indexOf("large")).toBeLessThan(answer.indexOf("memory"));
    expect(answer).toContain("total");
    expect(answer).toMatch(/counted by +o200k 90%, claude 9.9%/);
  });

  test("arguments choose the period, the axis, the names and the rows", async () => {
    using machine = servedMachine([
      session("a", "github", today),
      session("b", "memory", lastWeek),
      session("c", "postgres", lastWeek),
    ]);
    const ask = (args: Parameters<typeof answerUsage>[0]) =>
      answerUsage(args, machine.context, wanted);
    const week = await ask({ by: "server", since: "7d" });
    for (const name of ["github", "memory", "postgres"]) expect(week).toContain(name);
    expect(await ask({ since: "7d", server: "m*" })).not.toContain("github");
    expect(await ask({ since: "2026-11-18", until: "2026-11-18" })).not.toContain("github");
    const top = await ask({ since: "7d", by: "server", top: 1 });
    expect(top).toContain("(2 more)");
    expect(top).not.toContain("Shortened");
  });

  test("a mistake in a period, or an end before the beginning, is a sentence", async () => {
    using machine = servedMachine([session("a", "github", today)]);
    const fault = (args: Parameters<typeof answerUsage>[0]) =>
      rejectionOf(answerUsage(args, machine.context, wanted));
    expect(await fault({ since: "soon" })).toContain('"since" must be a date such as 2026-11-01');
    expect(await fault({ until: "2026-11-01" })).toContain("it ends before it begins");
  });

  test("names that match nothing are answered with those that exist", async () => {
    using machine = servedMachine([session("a", "git\u001b[2Jhub", today)]);
    expect(await answerUsage({ server: "githb" }, machine.context, wanted)).toBe(
      'No match in the period 2026-11-21 12:00 until now, UTC: no server is named "githb"; servers: git\\u001b[2Jhub; clients: host',
    );
    expect(await answerUsage({ since: "1h" }, machine.context, wanted)).toBe(
      "No match in the period 2026-11-22 11:00 until now, UTC",
    );
  });

  test("a machine without records says how to get some", async () => {
    using machine = servedMachine([]);
    expect(await answerUsage({}, machine.context, wanted)).toStartWith(
      "There are no records yet. ",
    );
    const homeless = { ...machine.context, io: { platform: "linux", env: {} } };
    expect(await rejectionOf(answerUsage({}, homeless, wanted))).toContain(
      "set HOME or XDG_STATE_HOME",
    );
  });

  test("any axis of 200 sessions fits into an answer, and says when it is shortened", async () => {
    const shift = servedNowMs - Date.parse("2026-11-14T00:00:00Z");
    const sessions = madeUsage().map((records) =>
      records.map((record) => ({
        ...record,
        ts: new Date(Date.parse(record.ts) + shift).toISOString(),
      })),
    );
    const prices = await openPrices({ isCosted: true, priceFile: undefined }, undefined);
    for (const listed of [undefined, prices]) {
      using machine = servedMachine(sessions, listed);
      for (const by of ["day", "week", "month", "session", "server", "tool", "model", "client"]) {
        const answer = await answerUsage({ by, since: "40d" }, machine.context, wanted);
        expect(tokensIn(answer)).toBeLessThanOrEqual(servedAnswerTokensMax);
        expect(answer).toMatch(/counted by +\w+ \d+%/);
        expect(answer.includes(" more)")).toBe(answer.includes("Shortened to"));
      }
    }
  });

  test("hostile names are escaped and short, lines that are not records are noted", async () => {
    const names = ["\u001b[2J\u202e", "x".repeat(256), "\u{1f9d1}".repeat(128), "a|b\nc"];
    using machine = servedMachine(names.map((name, at) => session(`s${at}`, name, today)));
    writeFileSync(machine.folder.at("mcp-meter/sessions/2026-11-22/torn.ndjson"), '{"a":\nfruit\n');
    const answer = await answerUsage({}, machine.context, wanted);
    expect(tokensIn(answer)).toBeLessThanOrEqual(servedAnswerTokensMax);
    expect(findUnsafeText(answer.replaceAll("\n", ""))).toEqual([]);
    expect(answer).toContain("Skipped 2 lines of ");
  });

  test("a client that cancels ends the reading", async () => {
    using machine = servedMachine([session("a", "one", today), session("b", "two", today)]);
    expect(await rejectionOf(answerUsage({}, machine.context, () => false))).toBe(
      "UserError: The client cancelled the question",
    );
  });
});
