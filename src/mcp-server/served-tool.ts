/** The form of one argument, in the part of JSON Schema that is used here. */
export type ArgumentSchema =
  | { readonly type: "string"; readonly description?: string; readonly enum?: readonly string[] }
  | {
      readonly type: "integer";
      readonly description?: string;
      readonly minimum: number;
      readonly maximum: number;
    };

/** The arguments of a tool by name, none of them required. */
export type ArgumentSchemas = { readonly [name: string]: ArgumentSchema };

/** Arguments of a call that fit the schemas of their tool. */
export type ServedArguments = { readonly [name: string]: string | number };

/** A tool of our own server, which changes nothing. */
export type ServedTool = {
  readonly name: string;
  readonly description: string;
  readonly arguments: ArgumentSchemas;
  /** The text of the answer. Throws UserError for a mistake of the caller. `isWanted` is false once the client cancels. */
  readonly answer: (args: ServedArguments, isWanted: () => boolean) => Promise<string>;
};
