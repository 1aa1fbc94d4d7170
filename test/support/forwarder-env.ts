/** The forwarder of a tested session: `TESTED_FORWARDER=portable` runs these tests on the other one. */
export const forwarderEnv: Readonly<Record<string, string>> = {
  MCP_METER_FORWARDER: process.env["TESTED_FORWARDER"] ?? "auto",
};
