// Files and screens: limits, each with its reason (docs/adr/0012-beyond-limits.md).

export const configBytesMax = 1024 * 1024;

// A file with more mistakes is left out whole.
export const configMistakesMax = 100;

export const inputReadBytesMax = 1024 * 1024;
export const fileNameCharactersMax = 40;

// A millisecond apart; then the rest of the text is dropped.
export const terminalAttemptsMax = 2_000;

// Further texts are dropped, and records counted as dropped.
export const stderrQueueBytesMax = 4 * 1024 * 1024;

// As long as a pipe needs to be emptied.
export const stderrRetryMaxMs = 20;

// All in all: clients kill us 2 s after their goodbye.
export const stderrFlushMaxMs = 500;

// The limit of GitHub for one step.
export const stepSummaryBytesMax = 1024 * 1024;

export const stepSummaryNoteBytesMax = 200;

// Or pairs of bytes: GitHub accepts 65,536 characters, and a variable of a step at most 128 KiB.
export const commentCharactersMax = 65_000;

export const commentNoteCharactersMax = 200;

// Options are not readable in less.
export const helpColumnsMin = 40;

// Longer lines are hard to read.
export const helpColumnsMax = 120;

export const quotedCharactersMax = 40;

// The rest is summed up in one row.
export const summaryRowsMax = 50;

export const checkRowsMax = 200;
export const driftRowsMax = 100;
export const recommendationsMax = 20;

// An annotation has room for a few lines.
export const annotationProblemsMax = 5;

export const toolsNamedMax = 8;
export const budgetLinesToldMax = 100;
export const serversNamedMax = 5;

// Shorter beginnings fit most names.
export const nameBeginningMin = 3;

export const cellWidthMax = 40;
export const callNameColumnsMin = 8;

// Names have up to 256 characters.
export const reportNameColumnsMax = 256;

// At this width columns of numbers are left out instead.
export const shortNameColumnsMin = 16;

export const nameColumnsMin = 6;
export const noteNameColumnsMax = 60;
export const noteDetailColumnsMax = 160;

// Ours have up to 250, a record file may claim any.
export const statedErrorColumnsMax = 400;

// A tool's error text fits.
export const problemColumnsMax = 600;

// Two fit into one problem.
export const problemValueColumnsMax = 240;

export const driftColumnsMax = 120;
export const driftExamplesMax = 10;

// The whole value is in the diff.
export const driftValueColumnsMax = 48;
