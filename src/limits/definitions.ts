// Profile, lock and check: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Lines of a server on stdout that are not JSON-RPC before a command that connects as a client gives up. */
export const foreignLinesMax = 10_000;

/** Characters of such a line that are shown. */
export const foreignLineCharactersMax = 80;

/** Pages of one list that clients of SDK 2.x request. */
export const clientPagesMax = 64;

/** Pages of one list that are requested. */
export const listPagesMax = 1_000;

/** Bytes of all lists of a server together that a command that connects as a client reads. */
export const listBytesMax = 128 * 1024 * 1024;

/** Milliseconds a server has to exit after its stdin is closed, after SIGTERM and after SIGKILL. */
export const serverExitMaxMs = 1_000;

/** Seconds that `--timeout` and `--slow` allow at most: a day. */
export const secondsMax = 86_400;

/** Milliseconds between two updates of the progress line. */
export const progressMs = 1_000;

/** Characters of an error message of the server or the client library that are shown. */
export const failureCharactersMax = 200;

/** Characters of a tool's own error text that a check shows. */
export const toolErrorCharactersMax = 500;

/** Characters of the faults of an answer that are parsed to report the first: some hundred of them. */
export const failureFaultsCharactersMax = 64 * 1024;

/** Characters of a secret that are searched for at once; a longer one is searched for in parts. Tokens have some hundred. */
export const secretCharactersMax = 1_024;

/** Characters of a value that is removed from names and definitions too: shorter ones, as `main`, are there by chance. */
export const secretCharactersMin = 8;

/** Backslashes before an escape that are read as its own: JSON that is quoted in JSON twice has seven before a quote. */
export const escapeSlashesMax = 8;

/** Times that HTML may be escaped for its entities to be read: `&lt;`, `&amp;lt;` and `&amp;amp;lt;`. */
export const entityLevelsMax = 3;

/** Times that a URL may be encoded for its escapes to be read: `%2F`, `%252F` and `%25252F`. */
export const percentLevelsMax = 3;

/** Levels of a JSON Schema that are examined. */
export const schemaLevelsMax = 12;

/** Parameters that narrow the answers of a tool which a record names. */
export const narrowingNamesMax = 8;

/** Levels of objects in which they are looked for, as in `options.page_size`. */
export const parameterLevelsMax = 3;

/** Characters of the path of such a parameter; a longer one is not named. */
export const parameterPathCharactersMax = 100;

/** Subschemas of one JSON Schema that are examined. */
export const subschemasMax = 10_000;

/** Tools whose changed definitions are shown as a diff. */
export const toolDiffsMax = 50;

/** Lines of one diff that are shown. */
export const diffLinesMax = 200;

/** Equal lines around each difference: enough to see which parameter it belongs to. */
export const diffContextLines = 2;

/** Edits beyond which two texts are shown whole in place of a diff: the search takes the square of it. */
export const diffEditsMax = 1_000;

/** Changed words of two lines beyond which the whole lines are marked. */
export const diffWordEditsMax = 200;

/** Characters of a part of a diff; the middle of a longer one is left out. An even number. */
export const diffPlainCharactersMax = 160;

/** Levels of two JSON Schemas that are compared; below them any difference is a change that may break a caller. */
export const driftLevelsMax = 64;

/** Pairs of branches that are compared by their values; those of longer lists are compared in their order. */
export const branchesPairedMax = 2_500;

/** Levels of properties at which two branches are searched for values that exclude each other. */
export const disjointLevelsMax = 2;

/** Required properties of two branches that are searched for values that exclude each other. */
export const disjointNamesMax = 50;

/** Values of a branch by which its pair is found. */
export const branchFactsMax = 500;

/** Characters of a value that a difference from the lock states. */
export const driftValueCharactersMax = 500;

/** Percentage by which all definitions may grow without a drift: room for a sentence here and there. */
export const growthPercentMax = 10;

/** Tokens by which all definitions may grow without a drift: a tenth of many tools would hide a whole tool. */
export const growthTokensMax = 200;

/** A `maximum` beyond this does not bound an answer: schema generators write 2^53 − 1 for any integer. */
export const schemaMaximumMax = 1_000_000;

/** A size in characters or bytes beyond this does not bound an answer, for the same reason. */
export const schemaSizeMax = 1_000_000_000;

/** Fields of a schema beyond which a recommendation is made. */
export const fieldsMax = 15;

/** Tokens of a description beyond which a recommendation is made: a paragraph of some 120 words. */
export const descriptionTokensMax = 160;

/** Wire-only tokens from which a recommendation is made, when they exceed those that the model reads. */
export const wireOnlyTokensMin = 200;

/** Tokens that a change to definitions must save to be named. */
export const savingTokensMin = 20;

/** Percentage of all definitions that it must save. */
export const savingPercentMin = 1;

/** Tools that must have the same description of a parameter: two may be a coincidence. */
export const repeatedTextToolsMin = 3;

/** Changes that a profile names, those that save most first. */
export const savingsShownMax = 3;

/** Bytes of a lock file: ten thousand tools take about ten megabytes. */
export const lockBytesMax = 64 * 1024 * 1024;

/** Milliseconds that git may take to read from a repository: a network file system answers in seconds. */
export const gitMaxMs = 30_000;

/** Bytes of the name of a commit or a file that git prints: a hash of 64 digits and a line end. */
export const gitNameBytesMax = 1_024;

/** Bytes of git's complaint of which the first line is shown. */
export const gitErrorBytesMax = 300;

/** Alerts about tools that differ from the lock; each says how many differ. */
export const lockAlertsMax = 20;

/** Bytes of a calls file. */
export const callsBytesMax = 4 * 1024 * 1024;

/** Characters of a regular expression of a calls file: the time of a match grows with it. */
export const patternCharactersMax = 1_000;

/** Characters of an answer that a regular expression is matched with: the worst one takes 23 s per million. */
export const matchedCharactersMax = 200_000;

/** Characters of an expected and of a found value that a check shows. */
export const expectationCharactersMax = 200;

/** Answered calls that wait for the answer to an earlier one, so that a recording has the order of the requests. */
export const recordedCallsHeldMax = 1_000;

/** Characters of a recorded call: a longer one is not a typical call of an agent. */
export const recordedCallCharactersMax = 64 * 1024;

/** Milliseconds that a schema may take to compile, or to be compared with: a large one of a real server takes 50. */
export const comparisonMaxMs = 5_000;

/** Characters of the reason why clients reject structured content or its schema that are shown. */
export const structureFaultCharactersMax = 300;

/** Calls of one check, repeats included. */
export const callsPlayedMax = 10_000;
