import type { OptionSpecs } from "./command.ts";

export const generalOptions: OptionSpecs = {
  help: { describe: "show help", short: "h" },
  version: { describe: "show the version", short: "V" },
};
