import { exitCodes } from "#kit/errors.ts";
import { defineCommand } from "../command.ts";
import { doctorOptionGroups, parseDoctorOptions } from "./options.ts";

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "Examine this installation, with the command that fixes each problem",
  usage: "mcp-meter doctor [--json]",
  groups: doctorOptionGroups,
  examples: [
    ["mcp-meter doctor", "print every finding"],
    ["mcp-meter doctor --json", "print one JSON object"],
  ],
  exits: [
    ["0", "nothing is broken; there may be warnings"],
    ["1", "something is broken"],
    ["2", "wrong options"],
  ],
  usageExit: exitCodes.usage,
  parse: parseDoctorOptions,
  load: async () => (await import("./command.ts")).doctor,
});
