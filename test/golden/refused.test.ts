import { expect, test } from "bun:test";
import { GatedSession } from "../support/gated-session.ts";
import { maxTokensForTexts } from "../support/max-tokens.ts";
import { o200kTokens, type SpokenEra } from "../support/eras.ts";
import {
  startGatedSession,
  clientReader,
  codexHeader,
  forEachClient,
  type GoldenClient,
  countModelTokens,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wrapUntrusted,
} from "../support/golden-clients.ts";
import { summaryOf } from "../support/play.ts";

const forbidden =
  "mcp-meter: search was not run. It is forbidden by a configured limit. Continue without it.";
const data =
  '{"source":"mcp-meter","reason":"tool_forbidden","tool":"search","limit":0,"spent":0,"tokens":7,"per":"call"}';
const withheld = (tokens: number): string =>
  `mcp-meter: search ran, but its answer was withheld: the call is ${tokens} tokens; the budget allows 40 tokens per call. Narrow the query or ask for fewer rows.`;
const withheldAsUnknown = (tokens: number): string =>
  `mcp-meter: search ran, but its answer was withheld: the call is at most ${tokens} tokens; the budget allows 40 tokens per call. Ask for less, or ask the user to set --as-client NAME.`;
/** Forty words of one token each, without the first space. */
const answer = " rose".repeat(40).trimStart();

const name: Texts = [["search", 1]];
const written: Texts = [['{"q":"roses"}', 6]];
const input = tokensOf([...name, ...written]);

/** Gemini CLI repeats the arguments and the whole answer; the era 2026-07-28 adds a member to it. */
const reported = (response: string): string =>
  `MCP tool 'search' reported tool error for function call: {"name":"search","args":{"q":"roses"}} with response: [{"functionResponse":{"name":"search","response":${response}}}]`;
const asResult = (text: string, era: SpokenEra["era"]): string =>
  reported(
    `{${era === "modern" ? '"resultType":"complete",' : ""}"content":[{"type":"text","text":"${text}"}],"isError":true}`,
  );

type Reads = {
  readonly refusal: PerEra;
  readonly answer: Texts;
  readonly withheld: PerEra;
  readonly error: Texts;
};

type PerEra = { readonly [era in SpokenEra["era"]]: Texts };

const inBoth = (texts: Texts): PerEra => ({ legacy: texts, modern: texts });

const reads: PerClient<Reads> = {
  "Claude Code": {
    refusal: inBoth([[forbidden, 21]]),
    answer: [[answer, 40]],
    withheld: inBoth([[withheld(47), 38]]),
    error: [[forbidden, 21]],
  },
  Codex: {
    refusal: inBoth([codexHeader, [forbidden, 21]]),
    answer: [codexHeader, [answer, 40]],
    withheld: inBoth([codexHeader, [withheld(47), 38]]),
    error: [
      codexHeader,
      [
        `tool call error: tool call failed for \`server/search\`\n\nCaused by:\n    Mcp error: -31900: ${forbidden}(${data})`,
        79,
      ],
    ],
  },
  "Gemini CLI": {
    refusal: {
      legacy: [[asResult(forbidden, "legacy"), 76]],
      modern: [[asResult(forbidden, "modern"), 81]],
    },
    answer: [[wrapUntrusted(answer), 51]],
    withheld: {
      legacy: [[asResult(withheld(47), "legacy"), 93]],
      modern: [[asResult(withheld(47), "modern"), 98]],
    },
    error: [
      [reported(`{"error":{"message":"MCP error -31900: ${forbidden}","isError":true}}`), 77],
    ],
  },
  Cursor: {
    refusal: inBoth([[forbidden, 21]]),
    answer: [[answer, 40]],
    withheld: inBoth([[withheld(47), 38]]),
    error: [
      ["-31900", 3],
      [forbidden, 21],
      [data, 33],
    ],
  },
  "VS Code": {
    refusal: inBoth([[forbidden, 21]]),
    answer: [[answer, 40]],
    withheld: inBoth([[withheld(47), 38]]),
    error: [[`MCP error -31900: ${forbidden}`, 28]],
  },
  unknown: {
    refusal: inBoth([[forbidden, 21]]),
    answer: [[answer, 40]],
    withheld: inBoth([[withheldAsUnknown(72), 46]]),
    error: [
      ["-31900", 3],
      [forbidden, 21],
      [data, 33],
    ],
  },
};

function play(
  client: GoldenClient,
  era: SpokenEra,
  budget: string,
  told: ConstructorParameters<typeof GatedSession>[1] = {},
): GatedSession {
  const params = { name: "search", arguments: { q: "roses" } };
  return startGatedSession([budget], client, era, told).client(era.ask(1, "tools/call", params));
}

testTokenCounts("the call", [name, written, [[answer, 40]]]);
for (const [client, { refusal, answer: shown, withheld: kept, error }] of rowsOf(reads)) {
  testTokenCounts(client, [refusal.legacy, refusal.modern, shown, kept.legacy, kept.modern, error]);
}

forEachClient(reads, (shown, client, era) => {
  test("a call that did not run costs its arguments and the refusal, and no budget pays", () => {
    const played = play(client, era, "search=0").end();
    const read = tokensOf(shown.refusal[era.era]);
    expect(played.calls).toMatchObject([
      {
        outcome: "refused",
        input_tokens: input,
        output_tokens: read,
        total_tokens: input + read,
        visible_tokens: read,
        duplicate_tokens: 0,
        result_sha256: null,
      },
    ]);
    expect(played.toClient.at(-1)).toContain(JSON.stringify(forbidden));
    const end = played.records.find((record) => record.type === "end");
    expect(end).toMatchObject({ total_tokens: input + read, budgets: [{ spent: 0 }] });
    const summary = summaryOf(played.records);
    const row = { calls: 1, refused: 1, total_tokens: input + read, refused_tokens: input + read };
    expect(summary.total).toMatchObject({ ...row, average_tokens: 0, max_tokens: 0 });
    expect(summary.tools).toMatchObject([{ tool: "search", ...row }]);
  });

  test("of a withheld answer the model reads the refusal; the answer stays in the wire's tokens", () => {
    const played = play(client, era, "search=40")
      .server(era.answer(1, { content: [{ type: "text", text: answer }] }))
      .end();
    const text =
      client === "unknown"
        ? withheldAsUnknown(input + maxTokensForTexts([answer], o200kTokens))
        : withheld(input + tokensOf(shown.answer));
    expect(played.toClient.at(-1)).toContain(JSON.stringify(text));
    // The number of tokens is one token for each client.
    const read = tokensOf(shown.withheld[era.era]);
    expect(played.calls).toMatchObject([
      { outcome: "refused", input_tokens: input, output_tokens: read, wire_tokens: 40 },
    ]);
    expect(summaryOf(played.records).total.total_tokens).toBe(input + read);
  });

  test("as a JSON-RPC error it costs what this client shows of an error", () => {
    const played = play(client, era, "search=0", { errorForm: "rpc" }).end();
    const { error } = JSON.parse(played.toClient.at(-1) ?? "");
    expect(error).toEqual({ code: -31_900, message: forbidden, data: JSON.parse(data) });
    expect(played.calls).toMatchObject([
      { outcome: "refused", input_tokens: input, output_tokens: tokensOf(shown.error) },
    ]);
  });

  test("in the tokens of its own model", () => {
    const told = { readerFor: clientReader(client, "auto") };
    const refused = play(client, era, "search=0", told).end();
    expect(refused.calls).toMatchObject([
      {
        input_tokens: countModelTokens(client, name, written),
        output_tokens: countModelTokens(client, shown.refusal[era.era]),
      },
    ]);
  });

  test("a shared budget that is used up refuses calls that it does not pay for", () => {
    const played = play(client, era, "search=1calls/session")
      .server(era.answer(1, { content: [{ type: "text", text: answer }] }))
      .client(era.ask(2, "tools/call", { name: "search", arguments: { q: "roses" } }))
      .end();
    const end = played.records.find((record) => record.type === "end");
    expect(end).toMatchObject({ budgets: [{ spent: 1, limit: 1, breaches: 1 }] });
    expect(played.calls).toMatchObject([{ outcome: "ok" }, { outcome: "refused" }]);
    const { total } = summaryOf(played.records);
    const ran = input + tokensOf(shown.answer);
    expect([total.average_tokens, total.max_tokens]).toEqual([ran, ran]);
    expect(total.total_tokens).toBe(ran + total.refused_tokens);
  });
});
