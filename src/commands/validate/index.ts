import { importerIds } from "#history/importers/ids.ts";
import { defineCommand, type Arguments, type OptionGroup, type RawOptions } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { logOptionGroup, parseLogOptions } from "../import/options.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { parseOption, parsePercent, readText } from "../option-values.ts";
import type { ValidateOptions } from "./command.ts";

const validateOptionGroups: readonly OptionGroup[] = [
  logOptionGroup,
  {
    heading: "Verdict",
    options: {
      "max-error": {
        value: "PERCENT",
        description:
          "fail if the median error of a model's estimates exceeds PERCENT, for example 15%",
        isCommandLineOnly: true,
      },
      "write-calibration": {
        value: "FILE",
        description: 'write the measured scales to a file that "mcp-meter run --calibration" reads',
        isCommandLineOnly: true,
        isPath: true,
      },
    },
  },
  { heading: "Output", options: makeOutputSpecs(documentFormats) },
];

export function parseValidateOptions(args: Arguments): ValidateOptions {
  const { options, operands } = args;
  return {
    ...parseLogOptions({ ...args, operands: operands.filter((name) => !isSessionId(name)) }),
    sessions: operands.filter(isSessionId),
    errorMax: parseMaxError(options),
    calibrationFile: readText(options, "write-calibration"),
    ...parseOutput(options, documentFormats),
  };
}

// A client's name has no digits and no underscores. It has at least one letter that is not among a to f.
function isSessionId(operand: string): boolean {
  return /[\d_]/.test(operand) || /^[a-f]+$/i.test(operand);
}

function parseMaxError(options: RawOptions): number | undefined {
  const percent = parseOption(options, "max-error", parsePercent, "a percentage such as 15%");
  return percent === undefined ? undefined : percent / 100;
}

export const validateCommand = defineCommand({
  name: "validate",
  summary: "Compare estimates with the tokens that clients logged",
  usage: "mcp-meter validate [options] [CLIENT…] [SESSION…]",
  operands: importerIds,
  groups: validateOptionGroups,
  examples: [
    ["mcp-meter validate", "all clients found in your home folder"],
    ["mcp-meter validate 3f2a81c4", "one session, by the beginning of its id"],
    [
      "mcp-meter validate claude-code --max-error 15%",
      "fail if a model's median error exceeds 15%",
    ],
    [
      "mcp-meter validate --write-calibration ~/.config/mcp-meter/calibration.json",
      'write scales that "mcp-meter run --calibration" reads',
    ],
  ],
  exits: [
    [
      "0",
      "logs were read, no median error exceeds --max-error, and no request has fewer input tokens than mcp-meter estimates for its tool answers",
    ],
    [
      "1",
      "there are no logs, an error exceeds --max-error, or a request has fewer input tokens than mcp-meter estimates for its tool answers",
    ],
    ["2", "invalid options or arguments"],
  ],
  parse: parseValidateOptions,
  load: async () => (await import("./command.ts")).validate,
});
