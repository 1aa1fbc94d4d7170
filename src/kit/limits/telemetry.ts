// Telemetry: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Further tools are `(other)`: a backend keeps every name for weeks.
export const telemetryToolsMax = 200;

// Combinations of server, client and estimator; further ones are summed up as `(other)`.
export const telemetryGroupsMax = 200;

// A config has some ten.
export const telemetryBudgetsMax = 100;

// Beyond it only the names of the newest list are remembered.
export const telemetryListedMax = 2_000;

// MCP allows 128 for a tool.
export const telemetryNameCharactersMax = 128;

// As most scrapers wait.
export const telemetryIntervalMs = 15_000;

// Half of the day that rules and panels in docs/ look back, so that a failed export does not matter.
export const telemetryRepeatMs = 12 * 60 * 60 * 1_000;

// Default: shorter than the exporter's retry pause of 800, so that a refusing backend does not delay the end.
export const exportMaxMs = 750;

// A bundle of all public authorities has some 250,000.
export const certificateBytesMax = 2_000_000;

// All in all; a good backend takes some 30.
export const telemetryAtExitMaxMs = 1_500;

// About a kilobyte each; further spans are dropped.
export const waitingSpansMax = 2_048;

export const spansExportedEarly = 512;
export const telemetrySessionsMax = 10_000;
