// The overhead of shorter texts is a handful of tokens.
export const overheadCharactersMin = 1_000;

// A longer JSON text counts as data.
export const overheadCharactersMax = 256 * 1024;

// Longer answers rarely recur.
export const rememberedTextCharactersMax = 4_096;
