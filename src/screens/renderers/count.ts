import { countDocument, type Counted } from "./documents/count.ts";
import type { DocumentFormat } from "./formats.ts";
import { render } from "./index.ts";
import type { TerminalOptions } from "./terminal.ts";

export function renderCount(
  format: DocumentFormat,
  counted: Counted,
  options: TerminalOptions,
): string {
  if (format === "table" && counted.inputs.length === 1) return `${counted.total}\n`;
  return render(format, { document: countDocument(counted), data: countData(counted) }, options);
}

function countData({ inputs, total, estimation }: Counted): object {
  const { id, method, encoding, confidence, error } = estimation;
  const how = { estimator: id, method, encoding, confidence };
  return { inputs, total, ...how, is_estimated: confidence !== "high", error };
}
