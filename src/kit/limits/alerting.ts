// Commands that alerts run: limits, each with its reason (docs/adr/0280-on-alert.md).

// Milliseconds before the command is killed: a request over a slow line takes three seconds.
export const alertCommandMaxMs = 10_000;

// Milliseconds that alerts delay the end of a session: clients kill us 2 s after their goodbye.
export const alertsAtExitMaxMs = 1_500;

// A slow process must not hold up the others at the end of a session.
export const alertsTogetherAtExitMax = 4;

// Milliseconds between two commands: chats accept a message per second.
export const alertGapMs = 1_000;

// Equal alerts within this time become one, with their number.
export const alertRepeatMs = 60_000;

// Further alerts are only recorded.
export const alertsWaitingMax = 32;

// Per `alertsPeriodMs`: a person reads no more, and a server chooses the names of its tools.
export const alertsDeliveredMax = 100;

// Alerts are allowed again after this time: `serve` runs for months.
export const alertsPeriodMs = 24 * 60 * 60_000;

export const alertClientsMax = 500;

// Each is a few hundred bytes.
export const alertsRememberedMax = 1_000;

export const alertNameCharactersMax = 256;

// The meter's own sentences are shorter.
export const alertTextCharactersMax = 600;
