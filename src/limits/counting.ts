// Counting: limits, each with its reason (docs/adr/0012-beyond-limits.md).

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
