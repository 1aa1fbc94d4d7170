/**
 * Every limit in one place, each with its reason. One past a limit is never an error of the traffic:
 * bytes still pass, and the record or the summary says what was left out.
 */

/** Bytes of one line kept for reading; longer lines are skimmed. Eight megabytes hold a full-page screenshot. */
export const lineObservedBytesMax = 8 * 1024 * 1024;

/** Lines up to this size are parsed at once; longer ones are skimmed for depth and width first. */
export const lineTrustedBytesMax = 64 * 1024;

/** Nesting beyond this is not parsed: five million levels cost JSON.parse two seconds. */
export const nestingMax = 256;

/** Commas and brackets beyond this are not parsed: 2.6 million empty arrays cost JSON.parse 0.7 s. */
export const structuresMax = 200_000;

/** Top-level members a skim remembers; a JSON-RPC message has four. */
export const skimMembersMax = 32;

/** Bytes of a top-level value a skim remembers: ids and method names are shorter. */
export const skimTextBytesMax = 512;

/** Elements of a batch that are read one by one. */
export const batchItemsMax = 10_000;

/** Requests waiting for an answer, both directions together; the oldest is given up beyond it. */
export const openCallsMax = 65_536;

/** Requests taken back whose answer may still come, each direction. */
export const lateAnswersMax = 1_024;

/** Multi-round-trip calls and tasks waiting for their next message. */
export const suspendedCallsMax = 4_096;

/** Records held back until it is known who talks to whom. */
export const waitingRecordsMax = 64;

/** Notification methods counted apart; further ones share the entry `(other)`. */
export const notificationMethodsMax = 64;

/** Characters of a name from the wire kept in records: tool, method, client, server. */
export const nameCharactersMax = 256;

/** Tools of one `tools/list` priced one by one. */
export const toolsListedMax = 10_000;

/** Characters of one description, schema or instruction text that are counted; further ones are not. */
export const definitionCharactersMax = 1024 * 1024;

/** Characters of a text whose tokens are remembered: names and short answers recur. */
export const rememberedCharactersMax = 128;
/** How many texts are remembered with their tokens. */
export const rememberedTextsMax = 1_000;

/** Definitions whose price is remembered. */
export const definitionPricesMax = 10_000;

/** Distinct tool rows in a ledger; further names share the row `(other)`. */
export const toolRowsMax = 1_000;

/** Servers and sessions a report keeps apart. */
export const reportServersMax = 1_000;

/** Distinct calls (tool and arguments) remembered to tell repeats. */
export const repeatsRememberedMax = 10_000;

/** Rows of a printed table; the rest is summed up in one. */
export const summaryRowsMax = 50;

/** Characters of one cell in a terminal table. */
export const cellWidthMax = 40;

/** Characters held for counting at once; beyond it, texts are priced by their length and flagged. */
export const backlogCharactersMax = 32 * 1024 * 1024;

/** Work done between two looks at the traffic, in characters of text. */
export const countingSliceCharacters = 32 * 1024;

/** Milliseconds that counting may go on after the server has gone. */
export const countingAtExitMaxMs = 3_000;

/** Bytes of records waiting for the disk; further records are dropped and counted. */
export const recordQueueBytesMax = 32 * 1024 * 1024;

/** Bytes of one write to a record file when several records wait: a turn of a busy loop brings hundreds. */
export const recordWriteBytesMax = 1024 * 1024;

/** Bytes of one record line a report reads; our own are far shorter. */
export const recordLineBytesMax = 16 * 1024 * 1024;

/** Bytes that were forwarded and not processed yet; beyond it the traffic waits. Ten thousand calls at once are 3 MB. */
export const unprocessedBytesMax = 4 * 1024 * 1024;

/** Milliseconds between two writes of records: a kill -9 loses at most that much of the newest. */
export const recordGatherMs = 50;

/** Milliseconds the records may take to reach the disk at exit. */
export const recordFlushMaxMs = 2_000;

/** Bytes of a configuration file. */
export const configBytesMax = 1024 * 1024;

/** Lines of a server on stdout that are no JSON-RPC before a command that connects as a client gives it up. */
export const foreignLinesMax = 10_000;

/** Pages of one list that are asked for. */
export const listPagesMax = 1_000;

/** Levels of a JSON Schema that are looked at. */
export const schemaLevelsMax = 12;

/** Subschemas of one JSON Schema that are looked at. */
export const subschemasMax = 10_000;

/** Bytes of a file that are counted at once; parts end before a line, so a long line makes a longer part. */
export const textPartBytesMax = 4 * 1024 * 1024;

/** Characters of an answer that are counted exactly for a refusal; of longer ones it is said that they are more. */
export const exactCountCharacters = 256 * 1024;

/** Characters of a tool's name in a refusal: the whole text stays under 300 characters. */
export const refusalNameCharactersMax = 60;

/** Milliseconds a throttled request waits at most: clients give up after 60 seconds. */
export const throttleWaitMaxMs = 50_000;

/** Requests that wait at once; further ones are refused. */
export const throttledCallsMax = 1_000;

/** Bytes of the requests that wait at once; further ones are refused. */
export const throttledBytesMax = 16 * 1024 * 1024;

/** Bytes of a lock file: ten thousand tools take about ten megabytes. */
export const lockBytesMax = 64 * 1024 * 1024;

/** Identical calls in a row that are told as a runaway: an agent that polls asks two or three times. */
export const repeatedCallsMin = 5;

/** Bytes of a calls file. */
export const callsBytesMax = 4 * 1024 * 1024;

/** Calls of one check, repeats included. */
export const callsPlayedMax = 10_000;

/** Bytes that GitHub takes of one step's summary. */
export const stepSummaryBytesMax = 1024 * 1024;

/** Definitions whose price is kept for the next session: some hundred servers, half a megabyte. */
export const pricesCachedMax = 5_000;

/** Bytes of the file they are kept in; a larger one is not ours. */
export const priceCacheBytesMax = 4 * 1024 * 1024;

/** Distinct columns told of a table. */
export const tableColumnsMax = 1_000;

/** Bytes of all lists of a server together that a command that connects as a client reads. */
export const listBytesMax = 128 * 1024 * 1024;

/** Tools that are told apart when a list differs from its lock; their number is told with each. */
export const lockAlertsMax = 20;
