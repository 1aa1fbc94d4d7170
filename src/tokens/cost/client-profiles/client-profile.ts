import type { Caller } from "../caller.ts";
import type { Part, TextPart, Block, BlockKind } from "./block.ts";
import type { JsonObject } from "#wire/json.ts";

export type Piece = string | Part;

export type ShownText = readonly Piece[];

export type Echo = { readonly tool: string; readonly args: string };

export type AnswerFacts = {
  readonly blocks: readonly Block[];
  // Compact JSON; undefined if absent or null.
  readonly structured: TextPart | undefined;
  readonly isStructuredRepeated: boolean;
  readonly duplicate: readonly Part[];
  readonly meta: unknown;
  readonly json: () => string;
  readonly echo: Echo;
};

export type ProtocolError = {
  readonly code: string;
  readonly message: string;
  readonly data: string;
  readonly parts: readonly TextPart[];
  readonly echo: Echo;
};

// `isFirst` is false after a block that the client shows with media.
type BlockRule = (
  block: Block,
  answer: Pick<AnswerFacts, "echo" | "structured">,
  isFirst: boolean,
) => ShownText;

type Order =
  | "structured-first"
  | "content-first"
  | "content-only"
  | "structured-then-content"
  | "content-then-structured"
  | "both";

export type LimitedAnswer = {
  readonly parts: readonly Part[];
  readonly alert: "would_truncate" | "would_spill";
  readonly value: number;
  readonly limit: number;
  readonly unit: "character" | "byte" | "line" | "token";
};

export type LimitTerms = {
  readonly requestedCharacters: () => unknown;
  readonly blocks: number;
  readonly count: (parts: readonly Part[], enough: number) => number;
};

// How a client changes tool answers and definitions before its model reads them. Sources: docs/notes/clients.md.
export type ClientProfile = {
  readonly id: "structured-first" | "content-first" | "both" | "unknown";
  /** In reports, for all names that the client has on the wire and in logs. */
  readonly client?: string;
  readonly names: readonly string[];
  // Null if the rules are published but not measured. Answers with other `kinds` are never exact.
  readonly measured: {
    readonly version: string;
    readonly on: string;
    readonly kinds: readonly BlockKind[];
  } | null;
  readonly order: Order;
  readonly isUnknown: boolean;
  // Block kinds shown next to `structuredContent`.
  readonly besideStructured: readonly BlockKind[];
  readonly header: string;
  readonly separator: string | null;
  readonly empty: (echo: Echo) => string;
  readonly isBlank: (text: string) => boolean;
  readonly blocks: { readonly [kind in BlockKind]: BlockRule };
  readonly renderWhole?: (answer: AnswerFacts) => readonly ShownText[];
  // The error shown for an answer that the client's library rejects; null if it rejects none.
  readonly rejection:
    ((result: unknown, answer: AnswerFacts) => readonly ShownText[] | undefined) | null;
  // False if blocks annotated for the user alone are hidden from the model.
  readonly showsUserOnly: boolean;
  readonly toolError: ((answer: AnswerFacts) => readonly ShownText[]) | null;
  readonly errorLimit:
    ((parts: readonly Part[], isProtocolError: boolean) => LimitedAnswer | undefined) | null;
  readonly protocolError: (error: ProtocolError) => readonly ShownText[];
  readonly channel: ((params: unknown) => string) | null;
  readonly limit: ((parts: readonly Part[], terms: LimitTerms) => LimitedAnswer | undefined) | null;
  // Links and resources are priced as the JSON of their block, base64 included.
  readonly resourcesAsJson: boolean;
  readonly isScripted: (caller: Caller) => boolean;
  readonly sessionId: string | undefined;
  readonly ownArguments: readonly string[];
  readonly trialNames: readonly string[];
  readonly spillPlace: SpillPlace;
  readonly definitions: DefinitionRules;
};

export type SpillPlace = "state" | "workspace";

export type ClientFacts = {
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly env?: Readonly<{ [name: string]: string | undefined }>;
};

export type Deferral = "never" | "always" | DeferralByShare;

// Defers if the definitions of all servers, plus the client's own deferrable tools, exceed a percentage of the window.
type DeferralByShare = { readonly overPercent: number; readonly clientTokens: number };

export function defers(deferral: Deferral, tokens: number, windowTokens: number): boolean {
  if (typeof deferral === "string") return deferral === "always";
  return (tokens + deferral.clientTokens) * 100 > deferral.overPercent * windowTokens;
}

// The frontmatter members that a model reads before it loads the skill.
type SkillText = { readonly name: string; readonly description: string };

export type DefinitionRules = {
  readonly deferral: Deferral;
  // The definition as the model reads it: renamed, cut, with added parameters.
  readonly form: (tool: JsonObject, isLoaded: boolean) => JsonObject;
  readonly isPreloaded?: (tool: JsonObject) => boolean;
  readonly listing: (tool: JsonObject) => string;
  readonly skill?: (skill: SkillText) => string;
  readonly instructions: (instructions: string, isDeferred: boolean) => string;
  readonly loadedInstructions: (instructions: string) => string;
  readonly repeatsInstructions: boolean;
  // The client shows no pages, and hides the tools reserved for pages from the model.
  readonly hidesPageTools?: boolean;
};

export const plainDefinitions: DefinitionRules = {
  deferral: "never",
  form: (tool) => tool,
  listing: () => "",
  instructions: (instructions) => instructions,
  loadedInstructions: () => "",
  repeatsInstructions: false,
};

export function formatSkill({ name, description }: SkillText): string {
  return `- ${name}: ${description}\n`;
}
