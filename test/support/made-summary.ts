import type { Summary } from "#records/summary.ts";
import { withTexts } from "./hostile.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  faultRecord,
  protocolRecord,
  sessionRecord,
} from "./made-records.ts";
import { summaryOf } from "./play.ts";

export function fullSummary(): Summary {
  const twice = { arguments_sha256: "a", duplicate_tokens: 12 };
  const summary = summaryOf([
    sessionRecord(),
    definitionsRecord({ is_deferred: true, resident_tokens: 7, instructions_tokens: 5 }),
    callRecord({ output_tokens: 12_345, risk: "critical", duration_ms: 2, ...twice }),
    callRecord({ output_tokens: 5, outcome: "tool_error", ...twice }),
    callRecord({ tool: "read", outcome: "abandoned", output_tokens: 0, truncated: true }),
    callRecord({
      tool: null,
      method: "resources/read",
      outcome: "refused",
      input_tokens: 0,
      output_tokens: 0,
    }),
    protocolRecord(),
    alertRecord(),
    alertRecord(),
    faultRecord({ what: "not_judged", bytes: 2_500_000 }),
    endRecord({
      late_answers: 1,
      opaque_server_lines: 2,
      dropped_records: 1,
      observer_faults: 1,
      budgets: [
        {
          budget: "100k/session",
          tool: null,
          limit: 100_000,
          unit: "tokens",
          per: "session",
          action: "error",
          spent: 12_390,
          breaches: 1,
        },
      ],
    }),
  ]);
  return summary;
}

const keptKeys = new Set(["risk", "method", "confidence", "unit", "sha256"]);

export function hostileSummary(text: string): Summary {
  const { estimation, total, ...rest } = fullSummary();
  const hostile = estimation && { ...estimation, estimator: text, error: text };
  return { ...withTexts(rest, text, keptKeys), total, estimation: hostile };
}
