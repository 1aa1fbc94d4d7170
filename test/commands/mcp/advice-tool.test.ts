import { describe, expect, test } from "bun:test";
import { mkdirSync, truncateSync } from "node:fs";
import { answerAdvice } from "#commands/mcp/advice-tool.ts";
import { answerUsage } from "#commands/mcp/usage-tool.ts";
import { servedAnswerTokensMax, servedRecordMegabytesMax } from "#commands/mcp/answer-limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { rejectionOf } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { servedMachine } from "../../support/served.ts";

const wanted = (): boolean => true;

/** A session in which a call of 1,000 tokens is made three times: the third would be refused. */
function repeating(id: string, server: string, ts: string): MeterRecord[] {
  const common = { session_id: id, server, ts };
  const call = { ...common, tool: "read", output_tokens: 1_000, arguments_sha256: "a".repeat(64) };
  return [sessionRecord(common), ...[1, 2, 3].map((seq) => callRecord({ ...call, seq }))];
}

const today = "2026-11-22T10:00:00.000Z";

describe("answerAdvice", () => {
  test("is the advice of a week, filtered by the requested names", async () => {
    using machine = servedMachine([
      repeating("a", "github", today),
      repeating("b", "memory", "2026-11-17T10:00:00.000Z"),
      repeating("c", "postgres", "2026-11-01T10:00:00.000Z"),
    ]);
    const ask = (args: Parameters<typeof answerAdvice>[0]) =>
      answerAdvice(args, machine.context, wanted);
    const week = await ask({});
    expect(week).toStartWith("mcp-meter: advice for 2026-11-16 until now, UTC\n\n~−");
    expect(week).toContain(
      "2 servers each received the same call more than 2 times in a row: github ~−900, memory ~−900; refuse such repeats with --max-repeats 2; wrap cannot find github, memory in your settings",
    );
    expect(week).toContain("memory");
    expect(week).not.toContain("postgres");
    expect(await ask({ since: "2026-11-01" })).toContain("postgres");
    expect(await ask({ server: "git*" })).not.toContain("memory");
    expect(await ask({ tool: "write" })).toEndWith("found nothing to change");
  });

  test("a mistake is a sentence, and a machine without records says how to get some", async () => {
    using machine = servedMachine([]);
    expect(await answerAdvice({}, machine.context, wanted)).toStartWith(
      "There are no records yet.",
    );
    expect(await rejectionOf(answerAdvice({ since: "x" }, machine.context, wanted))).toContain(
      '"since" must be a date',
    );
  });

  test("imported records alone are records", async () => {
    using machine = servedMachine([]);
    mkdirSync(machine.folder.at("mcp-meter/imports/codex"), { recursive: true });
    machine.folder.file("mcp-meter/imports/codex/a.ndjson", "");
    expect(await answerAdvice({}, machine.context, wanted)).toStartWith(
      "mcp-meter: no records for 2026-11-16",
    );
  });

  test("imported records count for the limit of what is read", async () => {
    using machine = servedMachine([]);
    mkdirSync(machine.folder.at("mcp-meter/imports/codex"), { recursive: true });
    const file = machine.folder.file("mcp-meter/imports/codex/a.ndjson", "");
    truncateSync(file, servedRecordMegabytesMax * 1024 * 1024 + 1);
    for (const answer of [answerAdvice, answerUsage]) {
      expect(await answer({}, machine.context, wanted)).toContain("Left out 1 record file");
    }
  });

  test("advice about many servers is shortened", async () => {
    const sessions = Array.from({ length: 90 }, (_, at) =>
      repeating(`s${at}`, `a-server-with-a-long-name-${at}`, today),
    );
    using machine = servedMachine(sessions);
    const answer = await answerAdvice({}, machine.context, wanted);
    const tokens = Math.round(loadTokenizer("o200k_base").count(answer) * 1.55);
    expect(tokens).toBeLessThanOrEqual(servedAnswerTokensMax);
    expect(answer).toMatch(
      /\n\nShortened to \d+ rows; narrow the answer with "since", "server" or "tool"$/,
    );
  });
});
