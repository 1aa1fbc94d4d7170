import { expect, test } from "bun:test";
import { reportCheck } from "#check/report.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { Lock } from "#lock/lock.ts";
import { buildCommentDocument, buildFailureDocument } from "#screens/renderers/check-comment.ts";
import { renderMarkdown } from "#screens/renderers/markdown.ts";
import { failureOf, playedCall } from "../../support/checks.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

const makeTool = (description: string, total: number) => ({
  ...lockedDefinition({ name: "search", description, inputSchema: { type: "object" } }),
  tokens: { total, name: 1, description: 9, schema: 40, wire_only: 0 },
});
const old = lockWith([makeTool("Search", 50)]);
const now = lockWith([makeTool("Search all", 60)]);

function printComment(locked: Lock | undefined, base?: Lock) {
  const definitions = judgeLock(locked, now, {
    lockFile: "mcp-meter.lock",
    limits: {},
    failOn: "risky",
    thresholds: riskThresholdsDefault,
    base: base && { name: "main", lock: base },
  });
  const calls = [playedCall(90, { name: "search #1", budgetTokens: 50 })];
  return buildCommentDocument(
    reportCheck({
      definitions,
      hasLock: locked !== undefined,
      callsFile: "calls.yaml",
      calls: locked === old ? [] : calls,
      budgets: [],
    }),
  );
}

test("commentDocument has the verdict first, then before, after and change, and the diff folded", () => {
  expect(renderMarkdown(printComment(old))).toMatchInlineSnapshot(`
    "### Failed: \`s 1\`, 1 tool, 60 tokens, 10 tokens more than \`mcp-meter.lock\`

    | tool | before | after | change |
    | --- | ---: | ---: | ---: |
    | \`search\` | 50 | 60 | +10 (+20%) |
    | all definitions | 50 | 60 | +10 (+20%) |

    | severity | tool | drift | before | after |
    | --- | --- | --- | --- | --- |
    | RISKY | (server) | definitions grew by 10 tokens | 50 tokens | 60 tokens |
    | RISKY | \`search\` | description changed | Search | Search all |

    - **check**: failed: 2 errors, 0 warnings

    \`search\`

    <details><summary>Diff</summary>

    \`\`\`diff
    - "description": "Search"
    + "description": "Search all"
    \`\`\`

    </details>
    "
  `);
});

test("commentDocument compares with the base where there is one, and shows failed calls", () => {
  const plain = renderMarkdown(printComment(old)).split("\n");
  const compared = renderMarkdown(printComment(now, old)).split("\n");
  expect(plain.filter((line) => !compared.includes(line))).toHaveLength(2);
  expect(compared.filter((line) => !plain.includes(line))).toEqual([
    "### Failed: `s 1`, 1 tool, 60 tokens, 10 tokens more than `main`",
    "- **error**: `search #1`: it takes 90 tokens; its budget is 50",
    "| call | tool | tokens | budget | recorded | ms | outcome | verdict |",
    "| --- | --- | ---: | --- | ---: | ---: | --- | --- |",
    "| `search #1` | `tool` | 90 | 50, over by 40 |  | 1,500 | ok | FAIL |",
    "- **base**: `main`: 1 definition changed, 10 tokens more in total; worst drift is RISKY",
    "- **calls**: failed: 1 call from calls.yaml, 90 tokens, counted by o200k",
    "- **check**: failed: 1 error, 0 warnings",
  ]);
});

test.each([
  [undefined, undefined, "Failed: `s 1`, 1 tool, 60 tokens"],
  [now, now, "Failed: `s 1`, 1 tool, 60 tokens, the same number of tokens as `main`"],
])("commentDocument states what it is compared with: %#", (locked, base, title) => {
  expect(renderMarkdown(printComment(locked, base)).split("\n")[0]).toBe(`### ${title}`);
});

test("failureDocument says why there is no check", () => {
  const failure = failureOf("Cannot <b>");
  expect(renderMarkdown(buildFailureDocument(failure))).toBe(
    "### Failed: the server could not be checked\n\nCannot &lt;b>\n",
  );
});

test("commentDocument lists the same problem of several rounds once", () => {
  const definitions = judgeLock(undefined, now, {
    lockFile: "mcp-meter.lock",
    limits: {},
    failOn: "risky",
    thresholds: riskThresholdsDefault,
  });
  const calls = [1, 2].map((round) => playedCall(90, { name: "a", budgetTokens: 50 }, round));
  const report = reportCheck({ definitions, hasLock: false, callsFile: "c", calls, budgets: [] });
  expect(renderMarkdown(buildCommentDocument(report)).match(/- \*\*error\*\*.*/g)).toEqual([
    "- **error**: `a, 2 rounds`: it takes 90 tokens; its budget is 50",
  ]);
});
