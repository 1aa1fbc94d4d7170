// Longer lines are skimmed. Eight megabytes fit a full-page screenshot.
export const lineObservedBytesMax = 8 * 1024 * 1024;

export const quotedCharactersMax = 40;

// Logs contain images in base64, of ten megabytes each.
export const importLineBytesMax = 64 * 1024 * 1024;

export const nameCharactersMax = 256;
