/**
 * The environment that chooses the forwarder of a tested session. All of these tests can be run on the other one:
 * `TESTED_FORWARDER=portable`.
 */
export const forwarderEnv: Readonly<Record<string, string>> = {
  MCP_METER_FORWARDER: process.env["TESTED_FORWARDER"] ?? "auto",
};
