/**
 * Every limit, each with its reason. Traffic beyond a limit is still forwarded; a record, an alert or the
 * summary then names the omission (docs/adr/0012-beyond-limits.md).
 */

// Lines and messages

/** Bytes of a line kept for parsing; longer lines are skimmed. Eight megabytes hold a full-page screenshot. */
export const lineObservedBytesMax = 8 * 1024 * 1024;

/** Lines up to this size are parsed at once; longer ones are first skimmed for depth and width. */
export const lineTrustedBytesMax = 64 * 1024;

/** Bytes of a part of a line below which it is a crumb: kept one by one, crumbs cost more than their bytes. */
export const crumbBytesMax = 1_024;

/** Crumbs in a row before they are joined. */
export const crumbsMax = 256;

/** Levels of nesting beyond which JSON is not parsed: five million levels cost JSON.parse two seconds. */
export const nestingMax = 256;

/** Commas and brackets beyond which JSON is not parsed: 2.6 million empty arrays cost JSON.parse 0.7 s. */
export const structuresMax = 200_000;

/** Top-level members that a skim records besides those of JSON-RPC. */
export const skimMembersMax = 32;

/** Bytes of a key or a top-level value that a skim records. */
export const skimTextBytesMax = 512;

/** Bytes of an id, a method or a tool's name that a skim records: ids of a kilobyte are legal. */
export const frameTextBytesMax = 64 * 1024;

/** Elements of a batch that are read one by one. */
export const batchItemsMax = 10_000;

/** Characters of a name from the wire that are kept in records: tool, method, client, server. */
export const nameCharactersMax = 256;

// Calls

/** Requests waiting for an answer, both directions together; beyond it the oldest is abandoned. */
export const openCallsMax = 65_536;

/** Cancelled or refused requests whose answer may still arrive, in each direction. */
export const lateAnswersMax = 1_024;

/** Multi-round-trip calls and tasks waiting for their next message. */
export const suspendedCallsMax = 4_096;

/** Notification methods counted separately; further ones share the entry `(other)`. */
export const notificationMethodsMax = 64;

/** Distinct calls (tool and arguments) remembered to detect repeats. */
export const repeatsRememberedMax = 10_000;

/** Identical calls in a row that raise an alert: an agent that polls asks two or three times. */
export const repeatedCallsMin = 5;

// Counting

/** Tools of one `tools/list` priced one by one. */
export const toolsListedMax = 10_000;

/** Definitions whose price is remembered in memory. */
export const definitionPricesMax = 10_000;

/** Characters of a maker's key: theirs have some hundred, a mistaken variable may hold a file. */
export const keyCharactersMax = 1_000;

/** Requests to a maker's counter at the same time: its smallest limit is 100 a minute. */
export const exactParallelMax = 4;

/** Attempts of one request to a maker's counter. */
export const exactAttemptsMax = 6;

/** Longest wait before a further attempt: limits are counted by the minute. */
export const exactWaitMaxMs = 65_000;

/** Longest wait for one answer of a maker's counter. */
export const exactAnswerMaxMs = 30_000;

/** Length of an answer of a maker's counter: counts have some hundred bytes, errors some thousand. */
export const exactAnswerBytesMax = 64 * 1024;

/** Length of a file that a maker counts: requests to Anthropic have at most 32 MiB, and escapes double a text. */
export const exactTextBytesMax = 15 * 1024 * 1024;

/** Counts of makers that are kept: some hundred servers for several models. */
export const exactCountsMax = 50_000;

/** Length of the file with these counts. */
export const exactCacheBytesMax = 16 * 1024 * 1024;

/** Definitions whose price is cached for the next session: some hundred servers, half a megabyte. */
export const pricesCachedMax = 5_000;

/** Bytes of the price cache file; a larger one was not written by us. */
export const priceCacheBytesMax = 4 * 1024 * 1024;

/** Characters of a text whose tokens are remembered across calls: longer answers rarely recur. */
export const rememberedTextCharactersMax = 4_096;

/** Characters of all texts remembered across calls, twice: the newer ones, and those before them. */
export const rememberedCharactersMax = 256 * 1024;

/** Characters of a text that is parsed to learn whether it is JSON; a longer one is judged by its ends. */
export const jsonJudgedCharactersMax = 256 * 1024;

/** Bytes at either end of a long text in which white space is skipped to learn whether it is JSON. */
export const blankEndBytesMax = 1_024;

/** Texts remembered across calls with their tokens, twice. */
export const rememberedTextsMax = 1_000;

/** Characters from which a text is remembered within one call: shorter ones are cheaper to count again. */
export const recurringCharactersMin = 256;

/** Bytes held by records that wait to be counted; beyond it, further lines wait, and then the traffic. */
export const backlogBytesMax = 8 * 1024 * 1024;

/** Bytes that a record holds while it waits to be counted, besides its texts: measured with 100 000 of them. */
export const waitingRecordBytes = 2 * 1024;

/** Bytes of counted lines before their garbage is collected, which takes 5 ms: a line leaves six times its size. */
export const garbageBytesMax = 6 * 1024 * 1024;

/**
 * Bytes that a counted line of any length adds to that: for small lines the objects weigh more. A burst of 150,000 calls
 * needs 170 MB without them, 146 MB with 256, 134 MB with 512 and 127 MB with 1,024, which takes a twentieth longer.
 */
export const lineGarbageBytes = 1_024;

/** Characters counted before the traffic is served again. */
export const countingSliceCharacters = 32 * 1024;

/** Milliseconds that counting may continue after the server has exited. */
export const countingAtExitMaxMs = 3_000;

/** Characters of an answer that are counted exactly for a refusal; a longer one costs "more than" the limit. */
export const exactCountCharacters = 256 * 1024;

/** Bytes of a file that are counted at once; parts end before a line, so a long line makes a longer part. */
export const textPartBytesMax = 4 * 1024 * 1024;

// Content of answers

/** Characters of the metadata of a turn, as Codex sends it as JSON in a text: ids and a model. */
export const turnMetadataCharactersMax = 4_096;

/** Characters from which a text is examined for overhead: in shorter ones it is a handful of tokens. */
export const overheadCharactersMin = 1_000;

/** Characters of a JSON text examined for overhead in one go; a longer one counts as data. */
export const overheadCharactersMax = 256 * 1024;

/** Paragraphs and elements of instructions at the beginning of a text; later ones count as data. */
export const preambleParagraphsMax = 200;

/** Distinct columns recorded of a table. */
export const tableColumnsMax = 1_000;

/** Characters of a `data:` URL that are searched for its comma. */
export const dataUrlHeadCharactersMax = 256;

/** Bytes that hold the size of a PNG, GIF or WebP image. */
export const imageHeaderBytesMax = 64;

/**
 * Bytes of a JPEG that are searched for its frame header: a photograph puts up to 64 KiB each of EXIF with a
 * thumbnail, XMP, a colour profile and a preview index before it.
 */
export const jpegHeaderBytesMax = 256 * 1024;

/** Segments before the frame header of a JPEG; a colour profile has at most 255. */
export const jpegSegmentsMax = 512;

/** Bytes of a sound that are searched for its header; the chunks before the samples of a WAV are far shorter. */
export const audioHeaderBytesMax = 4_096;

// Records and reports

/** Records held back until client and server have introduced themselves. */
export const waitingRecordsMax = 64;

/** Bytes of records waiting for the disk; further records are dropped and counted. */
export const recordQueueBytesMax = 32 * 1024 * 1024;

/** Bytes of one write to a record file when several records wait: one turn of a busy loop adds hundreds. */
export const recordWriteBytesMax = 1024 * 1024;

/** Milliseconds between two writes of records: `kill -9` loses at most the newest of that time. */
export const recordGatherMs = 10;

/** Milliseconds from a new record to its checkpoint: a client may kill 5 ms after its last answer. */
export const checkpointDelayMs = 1;

/** Checkpoints that may follow each other at once, as those of the first calls do. */
export const checkpointBurstMax = 16;

/** Milliseconds between two checkpoints after that: each adds an `end` to the records, which is two thirds of a call. */
export const checkpointPeriodMs = 1_000;

/** The same after the client's goodbye, when a kill is expected. */
export const checkpointLeavingPeriodMs = 50;

/** Milliseconds after a checkpoint in which another one without new records would hold nothing new. */
export const checkpointRepeatMinMs = 1_000;

/** Milliseconds that counting may take before a checkpoint is written: Codex kills 5 ms after its goodbye. */
export const checkpointCountingMaxMs = 2;

/** Bytes of records that are written while traffic waits: a kernel takes them in 0.05 ms. */
export const recordWaitBytesMax = 64 * 1024;

/** Milliseconds that a write of records may take while traffic waits for it; the usual one takes 0.02. */
export const quickWriteMaxMs = 20;

/** Milliseconds that a write of records has taken when the disk is too slow to be waited for at a goodbye. */
export const slowWriteMinMs = 100;

/** Records made at once at the end that are saved together: a call's is a kilobyte. */
export const recordsSavedTogether = 200;

/** Milliseconds that records may take to reach the disk at exit. */
export const recordFlushMaxMs = 2_000;

/** Milliseconds between two checks whether a record file was rotated away. */
export const rotationCheckMs = 1_000;

/** Bytes of one record line that a report reads; our own are far shorter. */
export const recordLineBytesMax = 16 * 1024 * 1024;

/** Distinct tool rows in a ledger; further names share the row `(other)`. */
export const toolRowsMax = 1_000;

/** Servers and sessions that a report keeps apart. */
export const reportServersMax = 1_000;

/** Sessions whose estimator a report remembers: a record after that many newer sessions counts as one of none. */
export const reportSessionsMax = 100_000;

/** Estimators that a report keeps apart, several times as many as there are. */
export const reportEstimatorsMax = 50;

/** Models and days whose prices are remembered: a year of thirty models. */
export const pricedModelsMax = 10_000;

/** Whole days from which a month is projected: a week has its weekend. */
export const projectionDaysMin = 7;

/** Days of these that have records: one call long ago has no rate. */
export const projectionUsedDaysMin = 3;

/** Whole days that a month is projected from: older ones say less about the next. */
export const projectionDaysMax = 90;

/** Tokens from which a report gives advice: less is not worth a change. */
export const adviceTokensMin = 500;

/** Percent of the tokens of a tool that a limit must spare to be advised. */
export const advicePercentMin = 10;

/** Percent of all tokens from which a tool counts as one that fills contexts. */
export const adviceSharePercentMin = 25;

/** Identical calls in a row that the advised `--max-repeats` lets pass. */
export const adviceRepeatsMax = 2;

/**
 * Tokens of a refusal in a report, more than most clients show. Of a repeated call: about 31 for the text, 47 under the header of Codex, and 95 in the
 * report of Gemini CLI, which repeats the arguments (test/golden/refused.test.ts has these forms).
 */
export const refusalTokensMost = 100;

/** Sessions without a call from which a server or a tool counts as unused. */
export const adviceSessionsMin = 3;

/** Names of unused tools in one advice. */
export const adviceNamesMax = 50;

/** Calls that are replayed through budgets: two gigabytes of records; each takes 60 bytes. */
export const replayedCallsMax = 2_000_000;

/** Models without a price that a summary names. */
export const unpricedModelsMax = 20;

/** Record files that a report reads: a hundred sessions a day for years. */
export const recordFilesMax = 100_000;

/** Bytes of records that a report reads before their garbage is collected, which takes some 10 ms. */
export const readGarbageBytesMax = 16 * 1024 * 1024;

/** Folders inside each other that a report searches for record files; ours are two. */
export const folderLevelsMax = 16;

/** Calls that a report keeps apart by session, day, tool and model; about 300 bytes each. */
export const reportCellsMax = 200_000;

/** Pages of 512 sequences that a report remembers as counted; 200 bytes each. */
export const seenPagesMax = 250_000;

/** Distinct calls that a report compares for repeats; 20 bytes each, in tables of up to 2^21. */
export const repeatsTabledMax = 1_000_000;

/** Tools whose loaded definitions a report knows, over all distinct lists. */
export const deferredToolsMax = 100_000;

/** Tools of all distinct lists that a report of definitions knows; about a kilobyte each. */
export const listedToolsMax = 50_000;

/** Days of UTC whose offsets in a time zone are remembered: a record file may claim any. */
export const zoneDaysMax = 20_000;

/** Files named for the lines in them that were skipped; the rest is counted. */
export const skippedFilesNamedMax = 10;

/** Calls on each side of a trend for a change to be stated: fewer are chance. */
export const trendCallsMin = 10;

/** Days of a trend that are shown one by one, the newest ones. */
export const trendDaysMax = 31;

/** Axes of one table of a report: a third would be a list of everything. */
export const reportAxesMax = 2;

/** Tokens that compact JSON must save to be suggested: less is not worth a change to the server. */
export const jsonSavingTokensMin = 200;

/** Percentage of a tool's JSON that must be saved to be suggested. */
export const jsonSavingPercentMin = 10;

/** Tools for which compact JSON is suggested, the largest savings first. */
export const jsonSavingsShownMax = 3;

/** Tokens of a tool's answers that must not be data for a note: fewer are not worth a change to the server. */
export const overheadTokensMin = 200;

/** Percentage of a tool's answers that must be exceeded for a note: some structure is in every JSON text. */
export const overheadPercentMin = 30;

/** Tools named for tokens that are not data, the most first. */
export const overheadsShownMax = 3;

/** Tools listed as most expensive and as unused. */
export const expensiveToolsShownMax = 5;

/** Parts of calls that are followed in one context; the cost of older ones counts as everything else from then on. */
export const followedCallsMax = 5_000;

/** Clean steps below which validation says nothing about an estimator: fewer give a line by chance. */
export const cleanStepsMin = 30;

/** Percent of an estimate below which a measured scale is not used: something else than the factor is wrong. */
export const calibrationPercentMin = 25;

/** The same for the largest scale; calibration.schema.json has both. */
export const calibrationPercentMax = 400;

/** Median error in percent up to which the quality of estimates is good, and fair. */
export const goodErrorPercentMax = 10;

/** Beyond it, estimates are poor. */
export const fairErrorPercentMax = 25;

/** A growth must be this many times the reasoning before it: the next prompt may hold that reasoning or not. */
export const reasoningPartMin = 10;

/** Steps of a conversation that a line is fitted through: two thousand make two million pairs, sorted in half a second. */
export const fittedPointsMax = 2_000;

/** Calls of imported histories that a report holds at once: half a million take some 200 MB. */
export const importedCallsMax = 500_000;

/** Turns of imported histories that a report holds at once. */
export const importedTurnsMax = 1_000_000;

// Removing old records

/** Milliseconds since its last change for which a file is never removed: its meter may not have locked it yet. */
export const pruneAgeMinMs = 3_600_000;

/** Record files whose totals are added and that are removed together: each batch writes the totals twice. */
export const pruneBatchMax = 200;

/** Files that are removed without a question: a second of work. */
export const automaticFilesMax = 1_000;

/** Milliseconds between two such removals. */
export const automaticPruneMs = 20 * 3_600_000;

/** Rows of the totals: years of a busy user, some twenty megabytes. */
export const totalRowsMax = 200_000;

/** Bytes of the file with the totals. */
export const totalsBytesMax = 128 * 1024 * 1024;

/** Times that a report reads records that are being removed at the same time: each takes seconds at most. */
export const totalsReadsMax = 3;

// Examining an installation

/** Milliseconds that a program of our name may take to print its version. */
export const programVersionMaxMs = 5_000;

/** Bytes that it may print. */
export const programVersionBytesMax = 1_024;

/** Free bytes of a disk below which records and counters fail soon: a busy day of one user. */
export const diskFullBytesMin = 10_000_000;

/** Free bytes of a disk below which that is a matter of time. */
export const diskFreeBytesMin = 500_000_000;

/** Sessions whose records are examined, the newest first. */
export const examinedSessionsMax = 50;

/** Bytes of a record file that is examined: a session of ten thousand calls has as many. */
export const examinedBytesMax = 16 * 1024 * 1024;

/** Different faults of sessions that are listed. */
export const faultsShownMax = 10;

/** Servers of one client that are named. */
export const clientServersShownMax = 10;

// Following sessions

/** Folders of days that are read, the newest first: a year with sessions every day, and as many watches of the system. */
export const sessionFoldersMax = 400;

/** Record files that are examined, the newest first: a hundred sessions a day for half a year. */
export const sessionFilesMax = 20_000;

/** Record files that are kept open while they are followed; each has its context in memory. */
export const followedFilesMax = 128;

/** Sessions in one record file whose contexts are kept; ours have one. */
export const followedSessionsMax = 64;

/** Milliseconds between two searches for changes that no event has reported: the folders of two days are listed. */
export const followCheckMs = 1_000;

/** The same where folders cannot be watched, or before there is one: a call is shown within 100. */
export const followPollMs = 50;

/** Milliseconds for which a file is read that was moved away: its meter notices that within 1,000. */
export const rotatedFileMs = 2_500;

/** Calls that `tail` prints of earlier sessions. */
export const tailLinesMax = 10_000;

// Budgets

/** Characters of a tool's name in a refusal: the whole text stays under 300 characters. */
export const refusalNameCharactersMax = 60;

/** Files of whole answers that one session saves. */
export const spilledFilesMax = 1_000;

/** Bytes of whole answers that one session saves; further ones are withheld. */
export const spilledBytesMax = 64 * 1024 * 1024;

/** Characters of the path of a saved answer that its model reads; systems allow four times as many. */
export const spillPathCharactersMax = 1_024;

/** Milliseconds that a throttled request waits: clients give up after 60 seconds. */
export const throttleWaitMaxMs = 50_000;

/** Requests that wait at once; further ones are refused. */
export const throttledCallsMax = 1_000;

/** Bytes of the requests that wait at once; further ones are refused. */
export const throttledBytesMax = 16 * 1024 * 1024;

/** Milliseconds by which the clock of another meter may be ahead, as of one that was stopped for an hour. */
export const clockAheadMaxMs = 3_600_000;

/** Milliseconds to wait for another meter's transaction, which takes a fraction of one: traffic waits with it. */
export const storeBusyMaxMs = 1_000;

/** Times as long that a meter waits while others write, or while it rarely gets the processor: a hundred may start on two. */
export const storeStretchMax = 8;

/**
 * Milliseconds between two attempts to begin a transaction while other meters have theirs, which take 0.1 ms. A
 * hundred that wait need the processor less than the one they wait for.
 */
export const storePauseMaxMs = 64;

/** Milliseconds between two attempts to end a transaction while others read: all meters wait for it. */
export const storeCommitPauseMaxMs = 1;

/** Milliseconds to wait for other meters when a store that failed is opened again: the traffic waits too. */
export const storeReopenBusyMaxMs = 5;

/** Milliseconds to wait at the end of a session that has used counters: its spending and its advances are settled then. */
export const storeLastBusyMaxMs = 500;

/** Attempts in `storeBusyMaxMs` before another meter's transaction counts as too long: they take 0.9 s on an idle machine. */
export const storeTriesMin = 60;

/** Milliseconds until a store that failed is opened again; each failure doubles them. */
export const storeReopenMinMs = 500;

/** Milliseconds between two attempts to open a store that failed, at most: a session may last for days. */
export const storeReopenMaxMs = 30_000;

/** Milliseconds for which a store must work before a failure counts as the first again. */
export const storeHealthyMinMs = 120_000;

/** Milliseconds for which spending that was reserved before waits to be written, and an advance is kept. */
export const storeFlushMaxMs = 10;

/** Times the amount of a call that is reserved in advance in a burst: 64 calls share a transaction. */
export const advanceCallsMax = 64;

/** Parts into which the room in a counter is divided; an advance takes one at most. */
export const advancePartsMin = 8;

/** Milliseconds for which a hold lasts unless it is renewed, where the end of its process is not noticed. */
export const holdMaxMs = 60_000;

/** Milliseconds between two renewals of holds: two may fail before they are lost. */
export const holdRenewalMs = 20_000;

/** Digits of a hash that separate servers which one program starts: 16 million values for a few servers. */
export const ownerDigits = 6;

/** Bytes of the secret of an installation: as many as the hash has. */
export const installationKeyBytes = 32;

/** Milliseconds for which a counter is kept after its last use: 40 days, more than a month. */
export const counterKeptMaxMs = 40 * 86_400_000;

// Profile, lock and check

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

// Forwarding and processes

/** Bytes of one side forwarded and not processed yet; beyond it that side waits. Ten thousand calls are 3 MB. */
export const unprocessedBytesMax = 4 * 1024 * 1024;

/** Bytes that a line takes in memory besides its own, about: views of it, and its place in a list. */
export const lineHeadBytes = 400;

/** Bytes of the ring in which the forwarding thread publishes what passes: some thousands of small messages. */
export const ringBytes = 1024 * 1024;

/**
 * Bytes of the file that takes what passes while the ring is full; beyond half of it the side that sends so much waits. At
 * the end of a session, all of it is counted in three seconds.
 */
export const spoolBytes = 128 * 1024 * 1024;

/** Bytes that such a file may have carried before it is emptied as soon as it is read, which frees its disk. */
export const spoolKeptBytesMax = 8 * 1024 * 1024;

/** Bytes of that file read at a time; more than one read of a pipe. */
export const spoolReadBytes = 256 * 1024;

/** Bytes read from a pipe at a time by the forwarding thread: the capacity of a pipe. */
export const forwardedReadBytesMax = 64 * 1024;

/** Milliseconds for which forwarded messages wait for the judge while they keep coming: it takes many at once. */
export const judgeDelayMs = 35;

/** Milliseconds from an answer to the judge otherwise: a client may kill 5 ms after its last answer. */
export const promptDelayMs = 1;

/** Answers after which the judge is woken that soon, one after another: as many as checkpoints follow each other. */
export const promptWakesMax = 16;

/** Milliseconds between such answers that may continue forever. */
export const promptPeriodMs = 100;

/** Milliseconds between two looks for room while the traffic has to wait for the judge. */
export const roomCheckMs = 2;

/** Milliseconds between two looks for a reader that left a full socket. */
export const socketCheckMs = 1_000;

/** Milliseconds that the judge may take to catch up before what it has judged is saved because the client is leaving. */
export const checkpointCatchUpMaxMs = 50;

/** Milliseconds that the forwarding thread has to begin; bytes wait in their pipes meanwhile. */
export const threadStartMaxMs = 2_000;

/** Milliseconds that the forwarding thread has to stop at the end. */
export const threadStopMaxMs = 1_000;

/** Milliseconds for which one direction may keep the event loop to itself. */
export const turnMaxMs = 2;

/** Lines judged before the clock is read again. */
export const turnCheckLines = 32;

/** Chunks moved in one turn of the event loop. They are counted, because a clock cannot distinguish work from waiting. */
export const turnChunksMax = 16;

/** Bytes of an overflow file read back at a time. */
export const overflowReadBytesMax = 256 * 1024;

/** Milliseconds of silence after the child's exit that end a pipe which a grandchild still holds open. */
export const silenceAfterExitMs = 250;

/** Milliseconds between two checks of that silence: a signal of the client shortens the wait. */
export const silenceCheckMs = 50;

/**
 * Milliseconds without progress after which a client that has closed its end, and does not read, is given up:
 * clients wait 2 s for the server to exit.
 */
export const unreadAfterCloseMaxMs = 1_000;

/** The same after a signal: the rest of 2 s when the server had to be killed. */
export const unreadAfterSignalMaxMs = 150;

/** Milliseconds the child has to exit when the signal was probably sent to the whole process group. */
export const groupExitMaxMs = 1_000;

/** Milliseconds from SIGTERM to SIGKILL: clients kill us 2 s after SIGTERM, and the child must exit first. */
export const killAfterTermMs = 1_700;

// Files and screens

/** Bytes of a configuration file, and of a file of prices. */
export const configBytesMax = 1024 * 1024;

/** Mistakes of a configuration file that are left out one by one; a file with more is left out as a whole. */
export const configMistakesMax = 100;

/** Bytes read from an input file at a time. */
export const inputReadBytesMax = 1024 * 1024;

/** Characters of a server's name in a file name. */
export const fileNameCharactersMax = 40;

/** Attempts to write to a full terminal, a millisecond apart, before the rest of the text is dropped. */
export const terminalAttemptsMax = 2_000;

/** Bytes of text that wait for the reader of stderr; further texts are dropped, and records counted as dropped. */
export const stderrQueueBytesMax = 4 * 1024 * 1024;

/** Milliseconds between two attempts to write to a stderr that takes nothing: as many as a pipe needs to be emptied. */
export const stderrRetryMaxMs = 20;

/** Milliseconds that the reader of stderr has at exit, in all: clients kill us 2 s after their goodbye. */
export const stderrFlushMaxMs = 500;

/** Bytes that GitHub accepts of one step's summary. */
export const stepSummaryBytesMax = 1024 * 1024;

/** Bytes reserved in a step summary for the note that it was cut. */
export const stepSummaryNoteBytesMax = 200;

/**
 * Characters of a comment, or pairs of bytes if there are more: GitHub accepts 65,536 characters, and a step of GitHub
 * Actions gets them in a variable of at most 128 KiB with its name.
 */
export const commentCharactersMax = 65_000;

/** Characters reserved in a comment for the sentence that it was cut. */
export const commentNoteCharactersMax = 200;

/** Columns of the help text on a narrower terminal: options are not readable in less. */
export const helpColumnsMin = 40;

/** Columns of the help text: longer lines are hard to read on a wide terminal. */
export const helpColumnsMax = 120;

/** Characters of a value from a file that an error message quotes. */
export const quotedCharactersMax = 40;

/** Rows of a printed table of tools; the rest is summed up in one. */
export const summaryRowsMax = 50;

/** Rows of a printed table of calls, problems or files. */
export const checkRowsMax = 200;

/** Rows of a printed table of differences from a lock. */
export const driftRowsMax = 100;

/** Recommendations printed. */
export const recommendationsMax = 20;

/** Problems in one GitHub annotation, which has room for a few lines. */
export const annotationProblemsMax = 5;

/** Tools named in a recommendation or problem that concerns several. */
export const toolsNamedMax = 8;

/** Lines about budgets that a session writes to stderr at once. */
export const budgetLinesToldMax = 100;

/** Servers named in the title of a summary. */
export const serversNamedMax = 5;

/** Letters of an unknown name that a suggested one may begin with: fewer begin most names. */
export const nameBeginningMin = 3;

/** Columns of one cell in a terminal table. */
export const cellWidthMax = 40;

/** The least columns of a name in a line of `tail` on a narrow terminal. */
export const callNameColumnsMin = 8;

/** Columns of a name in a report over time that is not printed on a terminal: names have up to 256 characters. */
export const reportNameColumnsMax = 256;

/** Columns to which a name is shortened on a narrow terminal before columns of numbers are left out. */
export const shortNameColumnsMin = 16;

/** Columns of a name on the narrowest terminal. */
export const nameColumnsMin = 6;

/** Columns of a name in a note below a table. */
export const noteNameColumnsMax = 60;

/** Columns of a detail in a note below a table. */
export const noteDetailColumnsMax = 160;

/** Columns of an estimator's stated error: ours have up to 250, a record file may claim any. */
export const statedErrorColumnsMax = 400;

/** Columns of one problem, recommendation or line of an annotation: a tool's own error text fits. */
export const problemColumnsMax = 600;

/** Columns of a value before and after a difference, in a problem: both fit into one. */
export const problemValueColumnsMax = 240;

/** Columns of the description of one difference from a lock. */
export const driftColumnsMax = 120;

/** Columns of a value before and after a difference from a lock: its beginning, for the whole is in the diff. */
export const driftValueColumnsMax = 48;

// Import

/** Levels of folders below a client's folder that are searched for sessions: workflows are five levels down. */
export const importDepthMax = 16;

/** Sessions of a client that are read: the largest history in reports has a thousand. */
export const importFilesMax = 100_000;

/** Bytes of one line of a log: images in base64 make ten megabytes. */
export const importLineBytesMax = 64 * 1024 * 1024;

/** Bytes that one read of a log asks for. */
export const importReadBytesMax = 1024 * 1024;

/** Bytes that a compressed log may have: ten megabytes may stand for a terabyte. */
export const importUnpackedBytesMax = 4 * 1024 * 1024 * 1024;

/** Bytes of logs that are read before their garbage is collected. */
export const importGarbageBytesMax = 16 * 1024 * 1024;

/** Calls without an answer that the reader of a growing file knows. */
export const openCallsKeptMax = 1_000;
/** Requests of one chat of VS Code, whose facts are kept until its file ends. */
export const loggedRequestsMax = 100_000;

/** Rows of one table of a client's database: years of use have some million. */
export const importRowsMax = 50_000_000;

/** Length of a database that is copied because its client has it open: the largest known have some GB. */
export const importCopyBytesMax = 16 * 1024 * 1024 * 1024;

/** Attempts to copy a database that is written meanwhile. */
export const importCopiesMax = 3;

/** Texts whose tokens are remembered while logs are read: answers that recur are near each other. */
export const importTextsRememberedMax = 10_000;

/** Bytes of a client's settings, from which names of servers are read. */
export const clientSettingsBytesMax = 16 * 1024 * 1024;

/** Bytes of such a file in YAML, whose parser takes seconds for a megabyte. */
export const clientYamlBytesMax = 256 * 1024;

/** Servers and tools that the table of an import has, those with the most calls first. */
export const importToolsShownMax = 30;

/** Bytes of the events of one log that are kept: a gigabyte of history makes some tens of megabytes. */
export const importCacheEntryBytesMax = 64 * 1024 * 1024;

/** Bytes of the events of all logs that are kept; beyond it the oldest are removed. */
export const importCacheBytesMax = 512 * 1024 * 1024;

/** Milliseconds from the start of a client to the first line of its session. */
export const sessionStartMsMax = 10_000;

/** Names of conversations and models that the events of one log share. */
export const sharedTextsMax = 1_000;

/** Models of one session's total. */
export const importedModelsMax = 256;

/** Milliseconds between a call on the wire and the same call in a client's log, which is written when an answer is whole. */
export const pairedCallsMsMax = 10_000;

// Our own MCP server

/** Tokens of an answer, by the estimator with the most tokens for text: an agent asks to spare its context. */
export const servedAnswerTokensMax = 1_000;

/** Bytes of an answer, which our tools declare: tables of a thousand tokens have four to five thousand. */
export const servedAnswerBytesMax = 8_000;

/** Columns of an error that an answer consists of: it quotes arguments. */
export const servedErrorColumnsMax = 400;

/** Columns of a table in an answer, beyond which names are shortened in their middle. */
export const servedTableColumnsMax = 110;

/** Rows of a table that an agent may ask for: more never fit into an answer. */
export const servedRowsMax = 50;

/** Estimators whose sessions are in one answer; a machine has two or three. */
export const servedBlocksMax = 3;

/** Notes about records in an answer, such as of lines that were skipped. */
export const servedNotesMax = 3;

/** Servers that are named where nothing matches. */
export const servedServersMax = 10;

/** Megabytes of records that are read for an answer: they take two seconds, and a client waits for sixty at most. */
export const servedRecordMegabytesMax = 512;

/** Different questions that wait for an answer; equal ones share one. */
export const servedQuestionsMax = 64;

/** Bytes of a line from the client; a call of our tools has a few hundred. */
export const servedLineBytesMax = 1024 * 1024;

/** Open requests beyond which no further line is read. */
export const servedRequestsMax = 1_000;

/** Bytes of answers that the client has not read, beyond which no further line is read. */
export const servedBytesQueuedMax = 1024 * 1024;

/** Milliseconds for open requests after the client has closed its end. */
export const servedEndMaxMs = 10_000;
