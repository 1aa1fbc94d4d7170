// Profile, lock and check: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Lines on stdout that are not JSON-RPC.
export const foreignLinesMax = 10_000;

export const foreignLineCharactersMax = 80;

// Clients of SDK 2.x request as many.
export const clientPagesMax = 64;

export const listPagesMax = 1_000;

// All lists of a server together.
export const listBytesMax = 128 * 1024 * 1024;

// After each of closed stdin, SIGTERM and SIGKILL.
export const serverExitMaxMs = 1_000;

export const secondsMax = 86_400;

export const progressMs = 1_000;
export const failureCharactersMax = 200;
export const toolErrorCharactersMax = 500;

// Some hundred faults, of which the first is reported.
export const failureFaultsCharactersMax = 64 * 1024;

// Shorter values, such as `main`, occur by chance.
export const secretCharactersMin = 8;

export const schemaLevelsMax = 12;
export const narrowingNamesMax = 8;

// As in `options.page_size`.
export const parameterLevelsMax = 3;

export const parameterPathCharactersMax = 100;
export const subschemasMax = 10_000;
export const toolDiffsMax = 50;
export const diffLinesMax = 200;

// Enough to see which parameter a difference belongs to.
export const diffContextLines = 2;

// The search takes the square of it; beyond it both texts are shown whole.
export const diffEditsMax = 1_000;

// Beyond it whole lines are marked.
export const diffWordEditsMax = 200;

// Longer parts lose their middle; an even number.
export const diffPlainCharactersMax = 160;

// Deeper differences are undecided.
export const driftLevelsMax = 64;

// A definition that many references lead to repeats its differences.
export const gapsMax = 200;

// Branches of a schema, those of its `allOf` multiplied; beyond it a comparison is undecided.
export const shapesMax = 400;

export const examplesMax = 200;

// Changes beyond it are undecided.
export const proofsMax = 200;

export const exampleLevelsMax = 8;
export const exampleItemsMax = 40;
export const textCharactersMax = 5_000;
export const textPlacesMax = 10_000;
export const driftValueCharactersMax = 500;

// Room for a sentence here and there.
export const growthPercentMax = 10;

// A tenth of many tools would hide a whole tool.
export const growthTokensMax = 200;

// A `maximum` beyond this does not bound an answer: schema generators write 2^53 − 1 for any integer.
export const schemaMaximumMax = 1_000_000;

// For the same reason.
export const schemaSizeMax = 1_000_000_000;

export const fieldsMax = 15;

// A paragraph of some 120 words.
export const descriptionTokensMax = 160;

// A few lines: the answer is one confirmation.
export const confirmationTokensMax = 200;

// Fewer may all have been short by chance.
export const confirmationsMin = 3;

// And more than the model reads.
export const wireOnlyTokensMin = 200;

export const savingTokensMin = 20;
export const savingPercentMin = 1;

// Two tools with the same description may be a coincidence.
export const repeatedTextToolsMin = 3;

export const savingsShownMax = 3;

// Ten thousand tools take about ten megabytes.
export const lockBytesMax = 64 * 1024 * 1024;

// A network file system answers in seconds.
export const gitMaxMs = 30_000;

// A hash of 64 digits and a line end.
export const gitNameBytesMax = 1_024;

// Only the first line is shown.
export const gitErrorBytesMax = 300;

// Each states how many tools differ.
export const lockAlertsMax = 20;

export const callsBytesMax = 4 * 1024 * 1024;

// The time of a match grows with the pattern.
export const patternCharactersMax = 1_000;

// The worst regular expression takes 23 s per million.
export const matchedCharactersMax = 200_000;

export const expectationCharactersMax = 200;

// They wait for an earlier answer, to be recorded in the order of requests.
export const recordedCallsHeldMax = 1_000;

// A longer call is not typical of an agent.
export const recordedCallCharactersMax = 64 * 1024;

// A large schema of a real server takes 50.
export const comparisonMaxMs = 5_000;

export const structureFaultCharactersMax = 300;
export const callsPlayedMax = 10_000;
