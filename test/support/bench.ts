import type { Options } from "../../scripts/bench/options.ts";

/** The options of a bench whose loads do not run. */
export const benchOptions: Options = {
  names: [],
  quick: true,
  write: false,
  json: false,
  minutes: 1,
  bulk: false,
  meter: "",
  against: undefined,
};
