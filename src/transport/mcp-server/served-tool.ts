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
