export const openCallsKeptMax = 1_000;

export const importedModelsMax = 256;

// Less is not worth a change.
export const adviceTokensMin = 500;

// By session, day, tool and model; about 300 bytes each.
export const reportCellsMax = 200_000;

// Half a million take some 200 MB.
export const importedCallsMax = 500_000;
