// Files and screens: limits, each with its reason (docs/adr/0012-beyond-limits.md).

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
