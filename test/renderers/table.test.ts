import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { renderTable, titleOf } from "#renderers/table.ts";
import { hostileText, unsafeIn } from "../support/hostile.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../support/made-records.ts";
import { fullSummary, hostileSummary } from "../support/made-summary.ts";
import { summaryOf } from "../support/play.ts";

const plain = { color: false };

describe("renderTable", () => {
  test("is a title, the tools, and notes", () => {
    expect(renderTable(fullSummary(), plain)).toMatchInlineSnapshot(`
      "
      mcp-meter: garden for host

      tool              calls  errors  refused  args   result    total  share     avg      max  p95ms  risk
      search                2       1        0   ~20  ~12,350  ~12,370  100 %  ~6,185  ~12,355     12  critical
      read                  1       0        0   ~10       ~0      ~10  0.1 %     ~10      ~10    0.0  low
      (resources/read)      1       0        1    ~0       ~0       ~0  0.0 %      ~0       ~0    0.0  low
      total                 4       1        1   ~30  ~12,350  ~12,380  100 %  ~4,127  ~12,355     12  critical

      in all        ~12,387 tokens, 6.2 % of a window of 200,000: ~7 tokens of definitions and instructions, ~12,380 tokens of calls
      definitions   2 tools, ~160 tokens, 0.1 % of a window of 200,000; dearest: search 100, fetch 60
      resident      this client loads definitions on demand, ~7 tokens stay in context
      instructions  ~5 tokens
      unused        1 of 2 tools were never called; their definitions are ~60 tokens
      budget        100k/session: 12,390 of 100,000 tokens spent, 1 breach
      repeated      1 call asked what had been asked before, ~15 tokens, most often search
      duplicate     ~24 tokens of text say the same as structuredContent
      heavy call    search: 9,000 tokens (2 times)
      note          1 call never answered
      note          1 call too long to count exactly, priced by length
      note          1 answer after the call was cancelled, not charged
      note          2 lines of the server not JSON-RPC
      note          1 record lost on the way to the disk
      note          1 fault while metering; traffic went on
      counted by    chars3 ●○○ a rough rule; ~ marks estimates
      "
    `);
  });

  test("without a call is notes alone", () => {
    const text = renderTable(summaryOf([sessionRecord(), definitionsRecord()]), plain);
    expect(text).not.toContain("p95ms");
    expect(text).toContain("definitions");
  });

  test("paints the risk and the total when it may, and nothing else changes", () => {
    const painted = renderTable(fullSummary(), { color: true });
    expect(painted).toContain("\u001b[1;31mcritical\u001b[0m");
    expect(painted).toContain("\u001b[1mtotal\u001b[0m");
    const bare = Bun.stripANSI(painted);
    expect(bare.replaceAll(/ +$/gm, "")).toBe(renderTable(fullSummary(), plain));
  });

  test("no line ends with a space, and the last one ends", () => {
    expect(renderTable(fullSummary(), plain)).not.toMatch(/ $/m);
    expect(renderTable(fullSummary(), plain)).toEndWith("\n");
  });

  test("holds nothing unsafe, whatever the records say", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(unsafeIn(renderTable(hostileSummary(text), plain).replaceAll("\n", ""))).toEqual([]);
      }),
    );
  });
});

test("the title names five servers and clients at most", () => {
  const summary = summaryOf(
    [1, 2, 3, 4, 5, 6].flatMap((at) => [
      sessionRecord({ server: `s${at}`, client_name: "host" }),
      callRecord({ server: `s${at}` }),
    ]),
  );
  expect(titleOf(summary, (name) => name)).toBe(
    "mcp-meter: s1, s2, s3, s4, s5 for host, 6 sessions",
  );
});
