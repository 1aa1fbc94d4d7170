/** What a client does with a tool's answer before its model reads it. Sources: docs/notes/clients.md. */
export type ClientProfile = {
  readonly id: "structured-first" | "content-first" | "both";
  /** Beside `structuredContent`: nothing of `content`, its images, or all of it; or `content` instead of it. */
  readonly besideStructured: "nothing" | "images" | "everything" | "content-instead";
  /** Embedded resources: bytes to a file and its path to the model, media as media, or the block's JSON as text. */
  readonly resources: "saved" | "media" | "json";
  /** True when tools stay out of the context until they are searched for; names and instructions are in it. */
  readonly defersDefinitions: boolean;
  readonly limits: ClientLimits;
};

/** Where a client interferes with a long answer; what is absent it does not do. */
export type ClientLimits = {
  /** Tokens beyond which the user is warned. */
  readonly warnTokens?: number;
  /** Tokens beyond which the answer is cut, unless the user set another number. */
  readonly cutTokens?: number;
  /** Characters beyond which the answer is cut. */
  readonly cutCharacters?: number;
  /** Characters of text beyond which it goes to a file; a tool may ask for up to `byToolMax`. */
  readonly spill?: { readonly characters: number; readonly byToolMax: number };
};
