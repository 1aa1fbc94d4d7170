import { describe, expect, test } from "bun:test";
import { documentFormats } from "#screens/renderers/formats.ts";
import { renderSummaries, renderSummary } from "#screens/renderers/index.ts";
import { displayWidth } from "#kit/text/columns.ts";
import { fullSummary } from "../../support/made-summary.ts";
import { sessionRecord } from "../../support/made-records.ts";
import { summaryOf } from "../../support/play.ts";

const plain = { color: false };

test("a summary fits 80 columns: the least important numbers go, names last", () => {
  const lines = renderSummary("table", fullSummary(), { ...plain, columns: 80 }).split("\n");
  expect(Math.max(...lines.map((line) => displayWidth(line)))).toBeLessThanOrEqual(80);
  expect(lines[2]?.split(/ {2,}/)).toEqual(
    expect.arrayContaining(["tool", "calls", "refused", "in calls"]),
  );
  expect(lines.join("\n")).toContain("(resources/read)");
});

describe("renderSummary", () => {
  test("as a table is a title, the tools, and notes", () => {
    expect(renderSummary("table", fullSummary(), plain)).toMatchInlineSnapshot(`
      "mcp-meter: garden for host

      tool              calls  errors  refused  withheld  args   result  in calls  call share     avg      max  p95 ms  risk
      search                2       1        0         0   ~20  ~12,350   ~12,370        100%  ~6,185  ~12,355      12  critical
      read                  1       0        0         0   ~10       ~0       ~10        0.1%     ~10      ~10     0.0  low
      (resources/read)      1       0        1         1    ~0       ~0        ~0        0.0%      ~0       ~0     0.0  low
      total                 4       1        1         1   ~30  ~12,350   ~12,380        100%  ~4,127  ~12,355      12  critical

      in context    ~12,487 tokens, 6.2% of a 200,000-token window: ~7 in definitions and instructions, ~100 in loaded definitions, ~12,380 in calls
      listed        2 tools, ~160 tokens, 0.1% of a 200,000-token window; most expensive: search 100, fetch 60
      loaded        1 of 2 definitions, ~100 tokens; this client loads them on demand
      instructions  ~5 tokens
      unused        1 of 2 tools, ~1 token in context
      budget        100k/session: 12,390 of 100,000 tokens spent, 1 breach
      repeated      1 identical call, ~15 tokens; most often search
      duplicate     ~24 tokens of text repeat structuredContent
      heavy call    search: 9,000 tokens (2 times)
      note          1 call never answered
      note          1 call too long, too deeply nested or too late to count exactly; estimated by length
      note          1 answer to a cancelled call; not charged
      note          2 lines from the server that cannot be parsed as JSON-RPC
      note          1 record not written to disk
      note          1 metering fault; traffic was not affected
      note          the last 2.5 MB were passed on but not counted, because the session ended
      counted by    chars3 ●○○ a rough rule; ~ marks estimates
      "
    `);
  });

  test("as JSON is the summary", () => {
    const json = renderSummary("json", fullSummary(), plain);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(fullSummary())));
  });

  test.each(documentFormats)("as %s has an answer for no records at all", (format) => {
    expect(renderSummary(format, summaryOf([]), { color: true })).toEndWith("\n");
  });

  test("colors risk and total when it may, and changes nothing else", () => {
    const painted = renderSummary("table", fullSummary(), { color: true });
    expect(painted).toContain("\u001b[1;31mcritical\u001b[0m");
    expect(painted).toContain("\u001b[1mtotal\u001b[0m");
    const bare = Bun.stripANSI(painted).replaceAll(/ +$/gm, "");
    expect(bare).toBe(renderSummary("table", fullSummary(), plain));
  });
});

describe("renderSummaries", () => {
  const one = summaryOf([sessionRecord()]);
  const other = summaryOf([sessionRecord({ estimator: "claude" })]);

  for (const format of documentFormats) {
    test(`of one summary is the summary as ${format}`, () => {
      expect(renderSummaries(format, [one], plain)).toBe(renderSummary(format, one, plain));
    });
  }

  test("of several has a block for each, which names its estimator", () => {
    const lines = renderSummaries("table", [one, other, summaryOf([])], plain).split("\n");
    const titles = lines.filter((line) => line.startsWith("mcp-meter: "));
    expect(titles).toEqual([
      "mcp-meter: garden for host, counted by chars3",
      "mcp-meter: garden for host, counted by claude",
      "mcp-meter: , 0 sessions, counted by an unknown estimator",
    ]);
    const markdown = renderSummaries("markdown", [one, other], plain);
    expect(markdown.split("\n").filter((line) => line.startsWith("### "))).toHaveLength(2);
  });

  test("of several as JSON is one object with all of them", () => {
    const json: unknown = JSON.parse(renderSummaries("json", [one, other], plain));
    expect(json).toEqual({ summaries: [one, other] });
  });
});
