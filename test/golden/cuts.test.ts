import { expect, test } from "bun:test";
import {
  playCall,
  codexHeader,
  forEachClient,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
} from "../support/golden-clients.ts";
import type { Play } from "../support/play.ts";

/** 52,000 characters and as many bytes. */
const whole = "Oslo is cold today.\n".repeat(2_600);
/** 12,000 of a tool's error. */
const complaint = "No such city. ".repeat(858).slice(0, 12_000);

const folder =
  "/home/user/.claude/projects/-home-user-projects-example-organisation-application/8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/tool-results";
const asJson = `[\n  {\n    "type": "text",\n    "text": ${JSON.stringify(whole)}`;
const saved = `<persisted-output>\nOutput too large (50.8KB). Full output saved to: ${folder}/toolu_01TTfR5pGUugUEpKxt8ttzJn.json\n\nPreview (first 2KB):\n${asJson.slice(0, 2_000)}\n...\n</persisted-output>`;
const twoEnds = `${`${codexHeader[0]}${whole}`.slice(0, 24_000)}…1009 tokens truncated…${whole.slice(-24_000)}`;
const framed = `<untrusted_context>\n${whole}\n</untrusted_context>`;
const masked = `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /home/user/.gemini/tmp/project/tool-outputs/session-8e81fa78-ebf7-4241-b46a-c25a9bf4ac4a/mcp_server_tool_1763769600000.txt\n${framed.slice(0, 8_000)}\n\n... [12,041 characters omitted] ...\n\n${framed.slice(-32_000)}`;

type Row = {
  readonly left: Texts;
  readonly alert?: { readonly alert: string; readonly limit: number; readonly value: number };
  readonly risk: string;
  readonly failed: (more: string) => Texts;
  readonly failedAlert?: Row["alert"];
};

const complete: Row = {
  left: [[whole, 15600]],
  risk: "critical",
  failed: () => [[complaint, 3429]],
};

const shown: PerClient<Row> = {
  "Claude Code": {
    left: [[saved, 766]],
    alert: { alert: "would_spill", limit: 50_000, value: 52_000 },
    risk: "low",
    failed: () => [
      [
        `${complaint.slice(0, 5_000)}\n\n... [2000 characters truncated] ...\n\n${complaint.slice(-5_000)}`,
        2867,
      ],
    ],
    failedAlert: { alert: "would_truncate", limit: 10_000, value: 12_000 },
  },
  Codex: {
    left: [[twoEnds, 14409]],
    alert: { alert: "would_truncate", limit: 48_000, value: 52_033 },
    risk: "critical",
    failed: () => [codexHeader, [complaint, 3429]],
  },
  "Gemini CLI": {
    left: [[masked, 12078]],
    alert: { alert: "would_truncate", limit: 40_000, value: 52_041 },
    risk: "critical",
    failed: (more) => [
      [
        `MCP tool 'search' reported tool error for function call: {"name":"search","args":{}} with response: [{"functionResponse":{"name":"search","response":{${more}"content":[{"type":"text","text":"${complaint}"}],"isError":true}}}]`,
        3481,
      ],
    ],
  },
  Cursor: complete,
  "VS Code": complete,
  unknown: complete,
};

testTokenCounts("the whole answer and the error", [[[whole, 15600]], [[complaint, 3429]]]);
for (const [client, { left, failed }] of rowsOf(shown)) testTokenCounts(client, [left, failed("")]);

const clientLimits = (played: Play) =>
  played.records.filter((one) => one.type === "alert" && one.alert.startsWith("would_"));

forEachClient(shown, ({ left, alert, risk, failed, failedAlert }, client, era) => {
  test("the total has the rest, the wire the whole", () => {
    const played = playCall(client, era, { content: [{ type: "text", text: whole }] });
    const wire = tokensOf(complete.left);
    expect(played.calls).toMatchObject([
      { outcome: "ok", output_tokens: tokensOf(left), wire_tokens: wire },
    ]);
    expect(clientLimits(played)).toMatchObject(alert ? [alert] : []);
    // search {}
    expect(played.summary.total).toMatchObject({
      output_tokens: tokensOf(left),
      wire_tokens: wire,
      total_tokens: 2 + tokensOf(left),
    });
    expect(played.summary.tools).toMatchObject([{ tool: "search", risk }]);
  });

  test("an error is shown or cut by rules of its own", () => {
    const result = { content: [{ type: "text", text: complaint }], isError: true };
    const played = playCall(client, era, result);
    const texts = failed(era.era === "modern" ? '"resultType":"complete",' : "");
    const more = era.era === "modern" && client === "Gemini CLI" ? resultType : 0;
    expect(played.calls).toMatchObject([
      { outcome: "tool_error", output_tokens: tokensOf(texts) + more },
    ]);
    expect(clientLimits(played)).toMatchObject(failedAlert ? [failedAlert] : []);
  });
});

/** Tokens that the member `resultType` of the era 2026-07-28 adds to an answer that is repeated. */
const resultType = 5;
