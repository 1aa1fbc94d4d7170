import { expect, test } from "bun:test";
import { renderSummary } from "#screens/renderers/index.ts";
import {
  startPlay,
  forEachClient,
  testTokenCounts,
  rowsOf,
  tokensOf,
  shownText,
} from "../support/golden-clients.ts";

const shown = shownText("Red roses", 2, 13);

testTokenCounts(
  "the answer",
  rowsOf(shown).map(([, texts]) => texts),
);

forEachClient(shown, (texts, client, era) => {
  function play(tookMs: readonly number[], slowMs: number | undefined = 2_000) {
    const played = startPlay(client, era, { slowMs });
    for (const [at, ms] of tookMs.entries()) {
      const params = { name: "search", arguments: { page: at } };
      played.client(era.ask(at + 1, "tools/call", params)).later(ms);
      played.server(era.answer(at + 1, { content: [{ type: "text", text: "Red roses" }] }));
    }
    return played.end();
  }

  test("three slow calls of five are three alerts and one note with the slowest", () => {
    const played = play([100, 4_200, 2_000, 2_001, 3_000]);
    const alerts = played.records.filter((record) => record.type === "alert");
    expect(alerts).toMatchObject([
      { alert: "slow_call", tool: "search", limit: 2_000, value: 4_200 },
      { alert: "slow_call", value: 2_001 },
      { alert: "slow_call", value: 3_000 },
    ]);
    expect(renderSummary("table", played.summary, { color: false })).toMatch(
      /^slow call +search: took 4\.2 s; --slow is 2 s \(3 times\)$/m,
    );
    expect(played.summary.total.output_tokens).toBe(5 * tokensOf(texts));
  });

  test("a call that is never answered is slow at the end", () => {
    const played = startPlay(client, era, { slowMs: 2_000 })
      .client(era.ask(1, "tools/call", { name: "search", arguments: {} }))
      .later(9_000)
      .end();
    expect(played.summary.alerts).toMatchObject([{ alert: "slow_call", value: 9_000, count: 1 }]);
  });

  test("without --slow nothing is slow", () => {
    const played = startPlay(client, era)
      .client(era.ask(1, "tools/call", { name: "search" }))
      .later(90_000)
      .end();
    expect(played.summary.alerts).toEqual([]);
  });
});
