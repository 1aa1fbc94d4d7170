import { joinSpans } from "../../renderers/document.ts";
import { describeAdvice } from "../../renderers/reports/advice.ts";
import type { DashModel } from "../model/model.ts";
import type { AdviceRow, AdviceView, ViewChoice } from "../view.ts";
import { buildScope, type ViewSetting } from "./scope.ts";

export function buildAdviceView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): AdviceView {
  const { head, filters } = buildScope(model, choice, setting);
  const { advice, estimation } = model.advise(choice.period, filters);
  const mark = estimation?.is_estimated === false ? "" : "~";
  const rows = advice.map((entry, rank) => {
    const { server, tool } = entry;
    const { label, reason, change, command = null } = describeAdvice(entry, mark);
    const texts = { reason: joinSpans(reason), change: joinSpans(change), command };
    const row: AdviceRow = { rank, label, server, tool, ...texts };
    return [JSON.stringify([entry.kind, server, tool]), row] as const;
  });
  return { head, tables: { advice: Object.fromEntries(rows) } };
}
