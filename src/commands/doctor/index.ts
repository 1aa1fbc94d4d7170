import { defineCommand, type Arguments, type OptionGroup } from "../command.ts";
import { documentFormats } from "#screens/renderers/formats.ts";
import { makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import type { DoctorOptions } from "./command.ts";
import { rejectArguments } from "../option-values.ts";

const doctorOptionGroups: readonly OptionGroup[] = [
  { heading: "Options", options: makeOutputSpecs(documentFormats) },
];

export function parseDoctorOptions(args: Arguments): DoctorOptions {
  const { options, operands, child = [], unknownVariables = [] } = args;
  rejectArguments([...operands, ...child]);
  return { ...parseOutput(options, documentFormats), unknownVariables };
}

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "Check this installation, and print how to fix each problem",
  usage: "mcp-meter doctor [--json]",
  groups: doctorOptionGroups,
  examples: [
    ["mcp-meter doctor", "print every finding"],
    ["mcp-meter doctor --json", "print one JSON object"],
  ],
  exits: [
    ["0", "nothing is broken; there may be warnings"],
    ["1", "something is broken"],
    ["2", "invalid options or arguments"],
  ],
  parse: parseDoctorOptions,
  load: async () => (await import("./command.ts")).examineInstallation,
});
