export const overheadCharactersMin = 1_000;

// Longer answers rarely recur.
export const rememberedTextCharactersMax = 4_096;
