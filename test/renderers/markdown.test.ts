import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { headings } from "#renderers/columns.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { hostileText, unsafeIn } from "../support/hostile.ts";
import { callRecord } from "../support/made-records.ts";
import { fullSummary, hostileSummary } from "../support/made-summary.ts";
import { summaryOf } from "../support/play.ts";

describe("renderMarkdown", () => {
  test("is a heading, a table and a list", () => {
    expect(renderMarkdown(fullSummary())).toMatchInlineSnapshot(`
      "### mcp-meter: \`garden\` for \`host\`

      | tool | calls | errors | refused | args | result | total | share | avg | max | p95ms | risk |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
      | \`search\` | 2 | 1 | 0 | ~20 | ~12,350 | ~12,370 | 100 % | ~6,185 | ~12,355 | 12 | critical |
      | \`read\` | 1 | 0 | 0 | ~10 | ~0 | ~10 | 0.1 % | ~10 | ~10 | 0.0 | low |
      | \`(resources/read)\` | 1 | 0 | 1 | ~0 | ~0 | ~0 | 0.0 % | ~0 | ~0 | 0.0 | low |
      | total | 4 | 1 | 1 | ~30 | ~12,350 | ~12,380 | 100 % | ~4,127 | ~12,355 | 12 | critical |

      - **in all**: ~12,387 tokens, 6.2 % of a window of 200,000: ~7 tokens of definitions and instructions, ~12,380 tokens of calls
      - **definitions**: 2 tools, ~160 tokens, 0.1 % of a window of 200,000; dearest: \`search\` 100, \`fetch\` 60
      - **resident**: this client loads definitions on demand, ~7 tokens stay in context
      - **instructions**: ~5 tokens
      - **unused**: 1 of 2 tools were never called; their definitions are ~60 tokens
      - **budget**: \`100k/session\`: 12,390 of 100,000 tokens spent, 1 breach
      - **repeated**: 1 call asked what had been asked before, ~15 tokens, most often \`search\`
      - **duplicate**: ~24 tokens of text say the same as structuredContent
      - **heavy call**: \`search\`: 9,000 tokens (2 times)
      - **note**: 1 call never answered
      - **note**: 1 call too long to count exactly, priced by length
      - **note**: 1 answer after the call was cancelled, not charged
      - **note**: 2 lines of the server not JSON-RPC
      - **note**: 1 record lost on the way to the disk
      - **note**: 1 fault while metering; traffic went on
      - **counted by**: chars3 ●○○ a rough rule; ~ marks estimates
      "
    `);
  });

  test("holds nothing unsafe and no cell of the server's own making, whatever the records say", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = renderMarkdown(hostileSummary(text));
        expect(unsafeIn(markdown.replaceAll("\n", ""))).toEqual([]);
        for (const line of markdown.split("\n").filter((one) => one.startsWith("|"))) {
          expect(line.split("|")).toHaveLength(headings.length + 2);
        }
      }),
    );
  });

  const names = [
    "a`b",
    "``",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:y)",
    "@everyone",
    "# h",
  ];
  for (const tool of names) {
    test(`${tool} is shown as code and nothing more`, () => {
      const markdown = renderMarkdown(summaryOf([callRecord({ tool })]));
      const row = markdown.split("\n").find((line) => line.includes("| 1 |")) ?? "";
      expect(row).toMatch(/^\| `[^`]+` \|/);
    });
  }

  test("alerts and errors of the server's making are no markup either", () => {
    const markdown = renderMarkdown(hostileSummary("<b>**x**</b>"));
    const outsideCode = markdown.replaceAll(/`[^`]*`/g, "");
    expect(outsideCode).not.toContain("<b>");
  });
});
