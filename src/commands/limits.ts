// Each search reads the status of all files.
export const dashFilesMs = 2_000;

export const faultsShownMax = 10;

// Beyond it names lose their middle.
export const servedTableColumnsMax = 110;

// More rows never fit into an answer.
export const servedRowsMax = 50;

export const servedBlocksMax = 3;
