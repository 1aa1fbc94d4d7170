import { formatSuggestion } from "#kit/errors.ts";

export const mcpServerSentences = {
  argumentsNotObject: () => `The arguments must be an object`,
  argumentUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Unknown argument "${name}"${nearest === undefined ? `; known arguments are ${known}` : formatSuggestion(nearest)}`,
  argumentValue: (name: string, value: string, wanted: string) =>
    `"${name}" must be ${wanted}, not ${value}`,
  servedToolUnknown: (name: string, known: string) =>
    `Unknown tool "${name}"; the tools are ${known}`,
} as const;
