import { documentFormats } from "#renderers/formats.ts";
import type { OptionSpecs } from "../command.ts";
import { serverOptionSpecs } from "../visit/options.ts";

/** Options of `profile` as a person writes them. */
export const profileOptionSpecs: OptionSpecs = {
  format: { value: "FORMAT", describe: `${documentFormats.join(", ")} (default: table)` },
  ...serverOptionSpecs,
};
