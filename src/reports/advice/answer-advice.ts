import { advicePercentMin, adviceTokensMin } from "#limits.ts";
import { answerOverheads } from "#records/answer-overhead.ts";
import { compactJsonSavings } from "#records/compact-json.ts";
import type { ToolRow } from "#records/summary.ts";
import type { Advice } from "./advice.ts";
import type { ServerUsage } from "./server-usage.ts";

/** Alerts about answers of which a client leaves a part. */
const shortened: ReadonlySet<string> = new Set(["would_truncate", "would_spill"]);

/** Answers that are larger than their content needs, or that the model read in part. */
export function answerAdvice(usage: ServerUsage): Advice[] {
  const { server, summary } = usage;
  return [
    ...largeAnswers(usage),
    ...summary.tools.flatMap((row) => [...duplicateText(row), ...cutAnswers(row, usage)]),
    ...compactJsonSavings(summary.tools).map(({ tool, tokens, share }): Advice => ({
      kind: "compact_json",
      server,
      tool,
      tokens,
      per: "period",
      share,
    })),
    ...jsonStructure(usage),
  ];
}

/** A few calls of a tool that take much more than the others. */
function largeAnswers({ server, sizes }: ServerUsage): Advice[] {
  return [...sizes].flatMap(([tool, calls]): Advice[] => {
    const effect = calls.bestLimit();
    const tokensMin = Math.max(adviceTokensMin, (calls.tokens * advicePercentMin) / 100);
    if (!effect || effect.tokens < tokensMin) return [];
    return [{ kind: "large_answers", server, tool, per: "period", ...effect, calls: calls.calls }];
  });
}

function duplicateText({
  server,
  tool,
  duplicate_tokens: tokens,
  output_tokens,
}: ToolRow): Advice[] {
  if (tokens < adviceTokensMin) return [];
  const share = tokens / Math.max(1, output_tokens);
  return [{ kind: "duplicate_text", server, tool, tokens, per: "period", share }];
}

/** Keys and punctuation of JSON, which rows under one header row do not repeat. */
function jsonStructure({ server, summary }: ServerUsage): Advice[] {
  return answerOverheads(summary.tools).flatMap(({ tool, causes }): Advice[] => {
    const cause = causes.find((one) => one.cause === "structure");
    const answers = summary.tools.find((row) => row.tool === tool)?.output_tokens ?? 0;
    const tokens = Math.round((cause?.share ?? 0) * answers);
    if (!cause || tokens < adviceTokensMin) return [];
    return [{ kind: "json_structure", server, tool, tokens, per: "period", share: cause.share }];
  });
}

/** Answers that a client cut or put into a file: the model did not read the rest. */
function cutAnswers({ server, tool }: ToolRow, { summary }: ServerUsage): Advice[] {
  const calls = summary.alerts
    .filter((alert) => alert.tool === tool && shortened.has(alert.alert))
    .reduce((sum, { count }) => sum + count, 0);
  if (calls === 0) return [];
  return [{ kind: "cut_answers", server, tool, tokens: 0, per: "period", calls }];
}
