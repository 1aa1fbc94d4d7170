export const importGarbageBytesMax = 64 * 1024 * 1024;
