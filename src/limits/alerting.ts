// Commands that alerts run: limits, each with its reason (docs/adr/0280-on-alert.md).

/** Milliseconds that the command of an alert may run before it is killed: a request over a slow line takes three. */
export const alertCommandMaxMs = 10_000;

/** Milliseconds that alerts delay the end of a session: clients kill us 2 s after their goodbye. */
export const alertsAtExitMaxMs = 1_500;

/** Processes side by side at the end of a session, where a slow one must not hold up the others. */
export const alertsTogetherAtExitMax = 4;

/** Milliseconds between the starts of two commands: chats accept one message per second. */
export const alertGapMs = 1_000;

/** Milliseconds in which equal alerts are one, with their number. */
export const alertRepeatMs = 60_000;

/** Alerts that wait for the command; further ones are only recorded. */
export const alertsWaitingMax = 32;

/** Alerts of a process within `alertsPeriodMs` that run the command: a person reads no more, and a server chooses the names of its tools. */
export const alertsDeliveredMax = 100;

/** Milliseconds after which alerts run the command again: `serve` runs for months. */
export const alertsPeriodMs = 24 * 60 * 60_000;

/** Sessions of a process whose clients are known to alerts: as many as there are at a time. */
export const alertClientsMax = 500;

/** Kinds of alerts that are compared with later ones; each is a few hundred bytes. */
export const alertsRememberedMax = 1_000;

/** Characters of a name in an alert, as in records. */
export const alertNameCharactersMax = 256;

/** Characters of the sentences of an alert: those that the meter writes are shorter. */
export const alertTextCharactersMax = 600;
