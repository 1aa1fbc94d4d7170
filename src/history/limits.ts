export const importedModelsMax = 256;

// One cell per session, day, tool and model, about 300 bytes each.
export const reportCellsMax = 200_000;
