// Longer lines are only skimmed. A full-page screenshot fits in eight megabytes.
export const lineObservedBytesMax = 8 * 1024 * 1024;

export const quotedCharactersMax = 40;

// Logs contain base64 images of ten megabytes each.
export const importLineBytesMax = 64 * 1024 * 1024;

export const nameCharactersMax = 256;
