export const driftLevelsMax = 64;

// A larger `maximum` is not a real bound: schema generators write 2^53 − 1 for any integer.
export const schemaMaximumMax = 1_000_000;

// A paragraph of about 120 words.
export const descriptionTokensMax = 160;
