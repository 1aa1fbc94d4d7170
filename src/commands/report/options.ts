import { summaryFormats } from "#renderers/formats.ts";
import type { OptionSpecs } from "../command.ts";

/** Options of `report` as a person writes them. */
export const reportOptions: OptionSpecs = {
  summary: { value: "FORMAT", describe: `${summaryFormats.join(", ")} (default: table)` },
  json: { describe: "the same as --summary json" },
};
