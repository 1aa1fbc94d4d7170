// Calls that take longer than --slow: an alert each, and one note with the slowest.
import { describe, expect, test } from "bun:test";
import { renderSummary } from "#renderers/summary.ts";
import { type SpokenEra, spokenEras } from "../support/eras.ts";
import { Play } from "../support/play.ts";

/** Calls of `search` that take so many milliseconds each, with a limit of two seconds. */
function play({ begin, ask, answer }: SpokenEra, tookMs: readonly number[], slowMs = 2_000): Play {
  const { asked, answered } = begin("golden-host");
  const played = new Play({ slowMs }).client(asked).server(answered);
  for (const [at, ms] of tookMs.entries()) {
    const params = { name: "search", arguments: { page: at } };
    played.client(ask(at + 1, "tools/call", params)).later(ms);
    played.server(answer(at + 1, { content: [{ type: "text", text: "roses" }] }));
  }
  return played.end();
}

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_, era) => {
  test("three slow calls of five are three alerts and one note with the slowest", () => {
    const played = play(era, [100, 4_200, 2_000, 2_001, 3_000]);
    const alerts = played.records.filter((record) => record.type === "alert");
    expect(alerts).toMatchObject([
      { alert: "slow_call", tool: "search", limit: 2_000, value: 4_200 },
      { alert: "slow_call", value: 2_001 },
      { alert: "slow_call", value: 3_000 },
    ]);
    expect(renderSummary("table", played.summary, { color: false })).toMatch(
      /^slow call +search: took 4\.2 s; --slow is 2 s \(3 times\)$/m,
    );
  });

  test("a call that is never answered is slow at the end", () => {
    const { asked, answered } = era.begin("golden-host");
    const played = new Play({ slowMs: 2_000 })
      .client(asked)
      .server(answered)
      .client(era.ask(1, "tools/call", { name: "search", arguments: {} }))
      .later(9_000)
      .end();
    expect(played.summary.alerts).toMatchObject([{ alert: "slow_call", value: 9_000, count: 1 }]);
  });

  test("without --slow nothing is slow", () => {
    const { asked, answered } = era.begin("golden-host");
    const played = new Play().client(asked).server(answered);
    played
      .client(era.ask(1, "tools/call", { name: "search" }))
      .later(90_000)
      .end();
    expect(played.summary.alerts).toEqual([]);
  });
});
