import { exitCodes } from "#kit/errors.ts";
import { importerIds } from "#history/importers/ids.ts";
import { defineCommand } from "../command.ts";
import { parseValidateOptions, validateOptionGroups } from "./options.ts";

export const validateCommand = defineCommand({
  name: "validate",
  summary: "Compare estimates with the tokens that clients logged",
  usage: "mcp-meter validate [CLIENT…] [--max-error PERCENT] [--write-calibration FILE]",
  operands: importerIds,
  groups: validateOptionGroups,
  examples: [
    ["mcp-meter validate", "all clients that are found in your home folder"],
    ["mcp-meter validate claude-code --max-error 15%", "fail when estimates are further off"],
    [
      "mcp-meter validate --write-calibration ~/.config/mcp-meter/calibration.json",
      "measure scales, for the option calibration of run",
    ],
  ],
  exits: [
    ["0", "logs were read, and nothing contradicts the estimates"],
    ["1", "an estimate is impossible, an error is too large, or there are no logs"],
    ["2", "wrong options"],
  ],
  usageExit: exitCodes.usage,
  parse: parseValidateOptions,
  load: async () => (await import("./command.ts")).validate,
});
