// Longer lines are first skimmed for depth and width.
export const lineTrustedBytesMax = 64 * 1024;

export const skimTextBytesMax = 512;
