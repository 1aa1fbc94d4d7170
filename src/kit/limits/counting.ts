// Counting: limits, each with its reason (docs/adr/0012-beyond-limits.md).

export const toolsListedMax = 10_000;
export const definitionPricesMax = 10_000;

// A mistaken variable may hold a file.
export const keyCharactersMax = 1_000;

// The smallest limit of a maker is 100 requests a minute.
export const exactParallelMax = 4;

export const exactAttemptsMax = 6;

// Makers count their limits by the minute.
export const exactWaitMaxMs = 65_000;

export const exactAnswerMaxMs = 30_000;

// Counts have some hundred bytes, errors some thousand.
export const exactAnswerBytesMax = 64 * 1024;

// Requests to Anthropic have at most 32 MiB, and escapes double a text.
export const exactTextBytesMax = 15 * 1024 * 1024;

// Some hundred servers for several models.
export const exactCountsMax = 50_000;

export const exactCacheBytesMax = 16 * 1024 * 1024;

// Some hundred servers, half a megabyte.
export const pricesCachedMax = 5_000;

// A larger file was not written by us.
export const priceCacheBytesMax = 4 * 1024 * 1024;

// Longer answers rarely recur.
export const rememberedTextCharactersMax = 4_096;

// Twice: the newer texts, and those before them.
export const rememberedCharactersMax = 256 * 1024;

// A longer text is judged by its ends.
export const jsonJudgedCharactersMax = 256 * 1024;

// White space at either end of a text that is longer than that.
export const blankEndBytesMax = 1_024;

export const rememberedTextsMax = 1_000;

// Within a call; shorter texts are cheaper to count again.
export const recurringCharactersMin = 256;

// Beyond it, further lines wait, and then the traffic.
export const backlogBytesMax = 8 * 1024 * 1024;

// Besides its texts: measured with 100,000 waiting records.
export const waitingRecordBytes = 2 * 1024;

// Collecting takes 5 ms; a line leaves six times its size.
export const garbageBytesMax = 6 * 1024 * 1024;

// Small lines leave more objects: a burst of 150,000 calls would take 170 MB without it.
export const lineGarbageBytes = 768;

// Requests, answers and their headers.
export const exchangeGarbageBytes = 4 * 1024;

export const countingSliceCharacters = 32 * 1024;
export const countingAtExitMaxMs = 3_000;

// A longer answer costs "more than" the limit.
export const exactCountCharacters = 256 * 1024;

// Counting as many takes 30 ms, and other clients wait that long.
export const leastTokensMax = 128 * 1024;

// Parts end before a line, so a long line makes a longer part.
export const textPartBytesMax = 4 * 1024 * 1024;
