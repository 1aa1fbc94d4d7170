import type { OptionSpecs } from "../command.ts";

/** Options of `budgets` as a person writes them. */
export const budgetsOptionSpecs: OptionSpecs = {
  reset: { value: "TOOL", describe: "empty the counters of a tool (wildcards allowed; * is all)" },
  json: { describe: "one JSON object instead of a table" },
};
