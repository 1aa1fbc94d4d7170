export const suspendedCallsMax = 4_096;

export const countingSliceCharacters = 32 * 1024;
