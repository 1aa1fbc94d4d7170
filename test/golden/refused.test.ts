// A refused call in the ledger: the model wrote its arguments and reads the refusal.
import { describe, expect, test } from "bun:test";
import { Enforced } from "../support/enforced.ts";
import { goldenReader, o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { summaryOf } from "../support/play.ts";

const forbidden =
  "mcp-meter: search was not run. It is forbidden by the user's budgets. Continue without it.";
const withheld =
  "mcp-meter: search ran, but its answer was withheld: the call is 47 tokens; the budget allows 40 tokens per call. Narrow the query or ask for fewer rows.";
/** Forty words of one token each, without the first space. */
const answer = " rose".repeat(40).trimStart();

function play(
  { begin, ask }: SpokenEra,
  budget: string,
  told: ConstructorParameters<typeof Enforced>[1],
  client = "golden-host",
): Enforced {
  const { asked, answered: begun } = begin(client);
  const params = { name: "search", arguments: { q: "roses" } };
  return new Enforced([budget], told)
    .client(asked)
    .server(begun)
    .client(ask(1, "tools/call", params));
}

test("the texts have these tokens", () => {
  expect(o200kTokens("search")).toBe(1);
  expect(o200kTokens('{"q":"roses"}')).toBe(6);
  expect(o200kTokens(answer)).toBe(40);
});

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  const written = o200kTokens("search") + o200kTokens('{"q":"roses"}');

  test("a call that did not run costs its arguments and the refusal, and no budget pays", () => {
    const played = play(era, "search=0", { readerFor: goldenReader("o200k") }).end();
    const read = o200kTokens(forbidden);
    expect(played.calls).toMatchObject([
      {
        outcome: "refused",
        input_tokens: written,
        output_tokens: read,
        total_tokens: written + read,
        visible_tokens: read,
        wire_tokens: read,
        duplicate_tokens: 0,
        result_sha256: null,
      },
    ]);
    expect(played.toClient.at(-1)).toContain(JSON.stringify(forbidden));
    const end = played.records.find((record) => record.type === "end");
    expect(end).toMatchObject({ total_tokens: written + read, budgets: [{ spent: 0 }] });
    const summary = summaryOf(played.records);
    const row = {
      calls: 1,
      refused: 1,
      total_tokens: written + read,
      refused_tokens: written + read,
    };
    expect(summary.total).toMatchObject({ ...row, average_tokens: 0, max_tokens: 0 });
    expect(summary.tools).toMatchObject([{ tool: "search", ...row }]);
  });

  test("of a withheld answer the model reads the refusal; the answer stays in the wire's tokens", () => {
    const played = play(era, "search=40", { readerFor: goldenReader("o200k") })
      .server(era.answer(1, { content: [{ type: "text", text: answer }] }))
      .end();
    expect(played.toClient.at(-1)).toContain(JSON.stringify(withheld));
    const read = o200kTokens(withheld);
    expect(played.calls).toMatchObject([
      { outcome: "refused", input_tokens: written, output_tokens: read, wire_tokens: 40 },
    ]);
    expect(summaryOf(played.records).total.total_tokens).toBe(written + read);
  });

  test("as a JSON-RPC error it costs what an error costs: code, message and data", () => {
    const told = { readerFor: goldenReader("o200k"), errorForm: "rpc" } as const;
    const played = play(era, "search=0", told).end();
    const { code, message, data } = JSON.parse(played.toClient.at(-1) ?? "").error;
    expect([code, message]).toEqual([-31_900, forbidden]);
    const read = o200kTokens("-31900") + o200kTokens(forbidden) + o200kTokens(JSON.stringify(data));
    expect(played.calls).toMatchObject([{ input_tokens: written, output_tokens: read }]);
  });

  test("to Claude Code it is text of a Claude model: 1.55 tokens of o200k, 1.8 for the arguments", () => {
    const told = { readerFor: goldenReader("auto") };
    const played = play(era, "search=0", told, "claude-code").end();
    expect(played.calls).toMatchObject([
      {
        input_tokens: Math.round(1 * 1.55) + Math.round(6 * 1.8),
        output_tokens: Math.round(o200kTokens(forbidden) * 1.55),
      },
    ]);
  });

  test("a shared budget that is used up refuses calls that it does not pay for", () => {
    const told = { readerFor: goldenReader("o200k") };
    const played = play(era, "search=1calls/session", told)
      .server(era.answer(1, { content: [{ type: "text", text: answer }] }))
      .client(era.ask(2, "tools/call", { name: "search", arguments: { q: "roses" } }))
      .end();
    const end = played.records.find((record) => record.type === "end");
    expect(end).toMatchObject({ budgets: [{ spent: 1, limit: 1, breaches: 1 }] });
    expect(played.calls).toMatchObject([{ outcome: "ok" }, { outcome: "refused" }]);
    const { total } = summaryOf(played.records);
    expect([total.average_tokens, total.max_tokens]).toEqual([written + 40, written + 40]);
    expect(total.total_tokens).toBe(written + 40 + total.refused_tokens);
  });
});
