// Deeper differences are undecided.
export const driftLevelsMax = 64;

// A `maximum` beyond this does not bound an answer: schema generators write 2^53 − 1 for any integer.
export const schemaMaximumMax = 1_000_000;

// A paragraph of some 120 words.
export const descriptionTokensMax = 160;
