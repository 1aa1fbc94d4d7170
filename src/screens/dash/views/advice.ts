import { formatCount } from "#kit/text/numbers.ts";
import { describeGroup, groupAdvice, sumSaved } from "../../renderers/reports/advice.ts";
import type { DashModel } from "../model/model.ts";
import type { AdviceRow, AdviceView, ViewChoice } from "../view.ts";
import { buildScope, type ViewContext } from "./scope.ts";

export function buildAdviceView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): AdviceView {
  const { head, filters } = buildScope(model, choice, context);
  const { advice, estimation, context_tokens, wrapTargets } = model.advise(
    choice.period,
    filters,
    context.findLimits?.(),
  );
  const mark = estimation?.is_estimated === false ? "" : "~";
  const rows = groupAdvice(advice).map((group, rank) => {
    const members = group.map(({ server, tool, saved_tokens: tokens }) => {
      const hasAmount = tokens > 0 && group.length > 1;
      return { server, tool, amount: hasAmount ? `${mark}${formatCount(tokens)}` : null };
    });
    const description = describeGroup(group, mark, wrapTargets);
    const saved = sumSaved(group);
    const label = saved > 0 ? `saves ${mark}${formatCount(saved)}` : description.label;
    const row: AdviceRow = { rank, ...description, label, members };
    return [group[0]?.kind ?? "", row] as const;
  });
  return {
    head: { ...head, saved_tokens: sumSaved(advice), context_tokens },
    tables: { advice: Object.fromEntries(rows) },
  };
}
