import { formatSuggestion } from "#kit/sentences.ts";
export type ArgumentSchema =
  | { readonly type: "string"; readonly description?: string; readonly enum?: readonly string[] }
  | {
      readonly type: "integer";
      readonly description?: string;
      readonly minimum: number;
      readonly maximum: number;
    };

export type ArgumentSchemas = { readonly [name: string]: ArgumentSchema };

export type ServedArguments = { readonly [name: string]: string | number };

export type ServedTool = {
  readonly name: string;
  readonly description: string;
  readonly arguments: ArgumentSchemas;
  // Throws UserError for a caller's mistake. `isWanted` is false once the client has cancelled.
  readonly answer: (args: ServedArguments, isWanted: () => boolean) => Promise<string>;
};

export const mcpServerSentences = {
  argumentsNotObject: () => `The arguments must be an object`,
  argumentUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Unknown argument "${name}"${nearest === undefined ? `; known arguments are ${known}` : formatSuggestion(nearest)}`,
  argumentValue: (name: string, value: string, wanted: string) =>
    `"${name}" must be ${wanted}, not ${value}`,
  servedToolUnknown: (name: string, known: string) =>
    `Unknown tool "${name}"; the tools are ${known}`,
} as const;
