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

const contentFirst: ClientProfile = {
  id: "content-first",
  besideStructured: "content-instead",
  resources: "saved",
  defersDefinitions: false,
  limits: {},
};

const structuredFirst: ClientProfile = {
  ...contentFirst,
  id: "structured-first",
  besideStructured: "images",
};

const claudeCode: ClientProfile = {
  ...structuredFirst,
  defersDefinitions: true,
  limits: {
    warnTokens: 10_000,
    cutTokens: 25_000,
    spill: { characters: 50_000, byToolMax: 500_000 },
  },
};

const codex: ClientProfile = {
  ...structuredFirst,
  besideStructured: "nothing",
  resources: "json",
};

/** Beginnings of names in lower case; `*` stands for any text. The longest that fits is taken. */
const profiles: readonly (readonly [pattern: string, profile: ClientProfile])[] = [
  ["claude-code", claudeCode],
  ["codex-mcp-client", codex],
  ["codex", codex],
  ["visual studio code", structuredFirst],
  ["visual-studio-code", structuredFirst],
  ["github-copilot-developer", structuredFirst],
  ["opencode", { ...structuredFirst, besideStructured: "nothing" }],
  [
    "gemini-cli-mcp-client",
    { ...contentFirst, resources: "media", limits: { cutCharacters: 40_000 } },
  ],
  ["cursor", { ...contentFirst, defersDefinitions: true }],
  ["jetbrains-*copilot-intellij", { ...contentFirst, id: "both", besideStructured: "everything" }],
];

const nameCharactersMax = 200;

/** The profile of a client by its `clientInfo.name`: the same name, else the longest beginning of it, else content first. */
export function findProfile(rawName: string | undefined): ClientProfile {
  const name = (rawName ?? "").slice(0, nameCharactersMax).toLowerCase();
  let found: ClientProfile = contentFirst;
  let length = 0;
  for (const [pattern, profile] of profiles) {
    if (pattern.length <= length || !fits(name, pattern)) continue;
    found = profile;
    length = pattern.length;
  }
  return found;
}

function fits(name: string, pattern: string): boolean {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.includes(tail, head.length);
}

/** How large an answer is to the model. */
export type AnswerSize = {
  readonly tokens: number;
  /** Characters of all its text. */
  readonly characters: number;
  readonly hasImages: boolean;
};

/** What the user and the server asked of the client. */
export type LimitSettings = {
  /** The client's own setting of the most tokens: `MAX_MCP_OUTPUT_TOKENS`. */
  readonly cutTokens?: number | undefined;
  /** The tool's `_meta["anthropic/maxResultSizeChars"]`, as the server sent it. */
  readonly spillCharacters?: unknown;
};

export type Interference = {
  readonly wouldWarn: boolean;
  readonly wouldTruncate: boolean;
  readonly wouldSpill: boolean;
};

/** What a client would do with an answer of that size. */
export function interference(
  profile: ClientProfile,
  answer: AnswerSize,
  settings: LimitSettings = {},
): Interference {
  const limits = answerLimits(profile, answer.hasImages, settings);
  return {
    wouldWarn: answer.tokens > limits.warnTokens,
    wouldTruncate: answer.tokens > limits.cutTokens || answer.characters > limits.cutCharacters,
    wouldSpill: answer.characters > limits.spillCharacters,
  };
}

/** Where a client interferes with one answer; Infinity where it does not. */
export type AnswerLimits = {
  readonly warnTokens: number;
  readonly cutTokens: number;
  readonly cutCharacters: number;
  readonly spillCharacters: number;
};

/** A client's limits for one tool's answers. A tool that asks for room is held to characters, not tokens. */
export function answerLimits(
  { limits }: ClientProfile,
  hasImages: boolean,
  settings: LimitSettings = {},
): AnswerLimits {
  const asked = askedCharacters(limits, settings.spillCharacters);
  const cutTokens =
    limits.cutTokens === undefined ? Infinity : (settings.cutTokens ?? limits.cutTokens);
  const spill = limits.spill === undefined ? Infinity : (asked ?? limits.spill.characters);
  return {
    warnTokens: limits.warnTokens ?? Infinity,
    cutTokens: hasImages || asked === undefined ? cutTokens : Infinity,
    cutCharacters: limits.cutCharacters ?? Infinity,
    spillCharacters: hasImages ? Infinity : spill,
  };
}

function askedCharacters({ spill }: ClientLimits, raw: unknown): number | undefined {
  if (spill === undefined || typeof raw !== "number" || !(raw > 0)) return undefined;
  return Math.min(raw, spill.byToolMax);
}
