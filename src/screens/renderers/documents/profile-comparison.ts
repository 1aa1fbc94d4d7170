import { summaryRowsMax } from "../../limits.ts";
import type { PricedProfile } from "#lock/savings/find-savings.ts";
import type { ProfileComparison, TokenChange, ToolChange } from "#lock/profile-comparison.ts";
import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import { countedBy } from "./confidence.ts";
import type { Column, Document, Note, Row } from "../document.ts";
import { omittedLine, serverTitle } from "./parts.ts";
import { tokenFormat, type TokenFormat } from "./token-format.ts";

export function profileComparisonDocument(
  { server, estimator }: Pick<PricedProfile, "server" | "estimator">,
  comparison: ProfileComparison,
): Document {
  const format = tokenFormat(estimator.is_estimated);
  const { tools } = comparison;
  return {
    title: serverTitle(server),
    sections: [
      {
        kind: "grid",
        columns,
        rows: tools.slice(0, summaryRowsMax).map((tool) => toolRow(tool, format)),
      },
      ...omittedLine(tools.length, summaryRowsMax, "tool"),
      {
        kind: "notes",
        notes: [...totalNotes(comparison, format), countedBy(estimator, estimator.is_estimated)],
      },
    ],
  };
}

const columns: readonly Column[] = [
  { head: "tool" },
  ...["before", "after", "delta"].map((head) => ({ head, isNumber: true })),
  { head: "largest answer" },
];

function toolRow({ name, before, after, delta, answer }: ToolChange, { count }: TokenFormat): Row {
  return [
    { name },
    before === null ? "new" : count(before),
    after === null ? "removed" : count(after),
    signed(delta),
    answer.before === answer.after ? "" : `${size(answer.before)} → ${size(answer.after)}`,
  ];
}

function size(tokens: number | null): string {
  return tokens === null ? "not declared" : formatCount(tokens);
}

function signed(delta: number): string {
  return delta > 0 ? `+${formatCount(delta)}` : formatCount(delta);
}

function totalNotes(comparison: ProfileComparison, format: TokenFormat): readonly Note[] {
  const { file, total_tokens: total, instructions_tokens: instructions, tools } = comparison;
  const still = tools.filter(({ after }) => after !== null).length;
  const unchanged = formatCount(comparison.tools_total.after - still);
  return [
    { label: "definitions", text: changeText(total, format) },
    ...(instructions.delta === 0
      ? []
      : [{ label: "instructions", text: changeText(instructions, format) }]),
    { label: "tools", text: `${plural(tools.length, "tool")} changed, ${unchanged} unchanged` },
    { label: "compared with", text: { name: file } },
  ];
}

function changeText({ before, after, delta }: TokenChange, { tokens }: TokenFormat): string {
  if (delta === 0) return `${tokens(after)}, unchanged`;
  const share = before === 0 ? "" : ` (${delta > 0 ? "+" : ""}${formatShare(delta / before)})`;
  return `${tokens(before)} before, ${tokens(after)} after, ${signed(delta)}${share}`;
}
