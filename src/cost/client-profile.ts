/** How a client changes a tool's answer before its model reads it. Sources: docs/notes/clients.md. */
export type ClientProfile = {
  readonly id: "structured-first" | "content-first" | "both";
  /** The part of `content` shown next to `structuredContent`; `content-instead` shows `content` in its place. */
  readonly besideStructured: "nothing" | "images" | "everything" | "content-instead";
  /** Embedded resources: saved to a file whose path is shown, shown as media, or shown as the JSON of the block. */
  readonly resources: "saved" | "media" | "json";
  /** True when the model finds tools by search: only names and instructions are in its context before that. */
  readonly defersDefinitions: boolean;
  readonly limits: ClientLimits;
};

/** The limits of a client for long answers; an absent one is not enforced. */
export type ClientLimits = {
  /** Tokens beyond which the user is warned. */
  readonly warnTokens?: number;
  /** Tokens beyond which the answer is cut, unless the user set another number. */
  readonly cutTokens?: number;
  /** Characters beyond which the answer is cut. */
  readonly cutCharacters?: number;
  /** Characters of text beyond which the answer goes to a file; a tool may request up to `byToolMax`. */
  readonly spill?: { readonly characters: number; readonly byToolMax: number };
};
