import { documentFormats } from "#renderers/formats.ts";
import type { OptionSpecs } from "../command.ts";

/** Options of `report` as a person writes them. */
export const reportOptions: OptionSpecs = {
  summary: { value: "FORMAT", describe: `${documentFormats.join(", ")} (default: table)` },
  json: { describe: "the same as --summary json" },
};
