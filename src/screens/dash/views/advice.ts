import { formatCount } from "#kit/text/numbers.ts";
import { describeGroup, groupAdvice, sumSaved } from "../../renderers/reports/advice.ts";
import type { DashModel } from "../model/model.ts";
import type { AdviceRow, AdviceView, ViewChoice } from "../view.ts";
import { buildScope, type ViewSetting } from "./scope.ts";

export function buildAdviceView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): AdviceView {
  const { head, filters } = buildScope(model, choice, setting);
  const { advice, estimation, context_tokens } = model.advise(choice.period, filters);
  const mark = estimation?.is_estimated === false ? "" : "~";
  const rows = groupAdvice(advice).map((group, rank) => {
    // A group of one has its amount in the label.
    const members = group.map(({ server, tool, saved_tokens: saved }) => {
      const amount = saved > 0 && group.length > 1 ? `−${mark}${formatCount(saved)}` : null;
      return { server, tool, amount };
    });
    const row: AdviceRow = { rank, ...describeGroup(group, mark), members };
    return [group[0]?.kind ?? "", row] as const;
  });
  return {
    head: { ...head, saved_tokens: sumSaved(advice), context_tokens },
    tables: { advice: Object.fromEntries(rows) },
  };
}
