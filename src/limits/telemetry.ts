// Telemetry: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Names of tools in the metrics of one session; the calls of further tools are `(other)`. A backend keeps every name for weeks. */
export const telemetryToolsMax = 200;

/** Combinations of server, client and estimator in `metrics`; of further ones the sums are those of `(other)`. */
export const telemetryGroupsMax = 200;

/** Budgets with a series of their own; a config has some ten. */
export const telemetryBudgetsMax = 100;

/** Names of listed tools that are remembered from several lists of a server; beyond them only those of the newest are. */
export const telemetryListedMax = 2_000;

/** Characters of a name in a label: that of a tool has at most 128 by the protocol. */
export const telemetryNameCharactersMax = 128;

/** Milliseconds between two exports of a session, the same as most scrapers wait. */
export const telemetryIntervalMs = 15_000;

/**
 * Milliseconds after which a session without news sends its sums again: half of the day for which the rules and panels of docs/ look
 * back for the sum before a period, so that one failed export does not matter.
 */
export const telemetryRepeatMs = 12 * 60 * 60 * 1_000;

/**
 * Milliseconds for an export, where no variable sets them: less than the pause of 800 before the exporter tries again, so that
 * a backend that refuses connections does not delay the end of a session.
 */
export const exportMaxMs = 750;

/** Milliseconds for which `report --otlp` tries again where the connection is refused, as by a backend that is started at the same time. */
export const refusedMaxMs = 3_000;

/** Milliseconds between two of these attempts. */
export const refusedPauseMs = 250;

/** Milliseconds for each request of `report --otlp`, which a person waits for: as long as OpenTelemetry waits by default. */
export const sendingDaysMaxMs = 10_000;

/** Values in one request of `report --otlp`, some 200 bytes each. */
export const pointsSentMax = 5_000;

/** Bytes of a certificate or key; a bundle of all public authorities has some 250,000. */
export const certificateBytesMax = 2_000_000;

/** Milliseconds for which the end of a session waits for a backend, all in all; a good one takes some 30. */
export const telemetryAtExitMaxMs = 1_500;

/** Spans that wait for an export, about a kilobyte each; further ones are dropped. */
export const waitingSpansMax = 2_048;

/** Spans from which on an export does not wait for its time. */
export const spansExportedEarly = 512;

/** Sessions whose definitions are compared with those of the same session before. */
export const telemetrySessionsMax = 10_000;
