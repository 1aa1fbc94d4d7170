import type { Caller } from "../caller.ts";
import type { Part, TextPart } from "../part.ts";
import type { Block, BlockKind } from "./block.ts";
import type { JsonObject } from "#wire/json.ts";

export type Piece = string | Part;

export type ShownText = readonly Piece[];

export type Echo = { readonly tool: string; readonly args: string };

export type AnswerFacts = {
  readonly blocks: readonly Block[];
  /** Compact JSON; undefined when it is absent or null. */
  readonly structured: TextPart | undefined;
  readonly isTwice: boolean;
  /** Parts of `content` that say the same as `structuredContent`. */
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

/** `isFirst` is false behind a block that is shown with media of its own. */
type BlockRule = (
  block: Block,
  answer: Pick<AnswerFacts, "echo" | "structured">,
  isFirst: boolean,
) => ShownText;

type Order =
  | "structured-first"
  | "content-first"
  | "content-only"
  /** Only `content` when a text says the same. */
  | "structured-then-content"
  | "content-then-structured"
  | "both";

export type Limited = {
  readonly parts: readonly Part[];
  readonly alert: "would_truncate" | "would_spill";
  readonly value: number;
  readonly limit: number;
  readonly unit: "character" | "byte" | "line" | "token";
};

export type LimitTerms = {
  readonly requestedCharacters: () => unknown;
  readonly blocks: number;
  /** Any number above `enough` when they cost more. */
  readonly count: (parts: readonly Part[], enough: number) => number;
};

/** How a client changes a tool's answer and its definitions before its model reads them. Sources: docs/notes/clients.md. */
export type ClientProfile = {
  readonly id: "structured-first" | "content-first" | "both" | "unknown";
  readonly names: readonly string[];
  /** Null for rules that are published and not measured. Answers of other kinds of blocks are never exact. */
  readonly measured: {
    readonly version: string;
    readonly on: string;
    readonly kinds: readonly BlockKind[];
  } | null;
  readonly order: Order;
  /** Budgets count the most expensive of all readings. */
  readonly isUnknown: boolean;
  /** Kinds of blocks shown next to `structuredContent`. */
  readonly besideStructured: readonly BlockKind[];
  readonly header: string;
  /** Null when each block stays a text of its own. */
  readonly joint: string | null;
  readonly empty: (echo: Echo) => string;
  /** True for an answer that counts as empty. */
  readonly isBlank: (text: string) => boolean;
  readonly blocks: { readonly [kind in BlockKind]: BlockRule };
  /** The texts of an answer that is not shown block by block. */
  readonly renderWhole?: (answer: AnswerFacts) => readonly ShownText[];
  /** The error in place of an answer that the client's library rejects; null where such an answer is shown. */
  readonly rejection:
    ((result: unknown, answer: AnswerFacts) => readonly ShownText[] | undefined) | null;
  /** False when blocks annotated for the user alone are kept from the model. */
  readonly showsUserOnly: boolean;
  readonly toolError: ((answer: AnswerFacts) => readonly ShownText[]) | null;
  /** Null when no limit of a long error is known. */
  readonly errorLimit:
    ((parts: readonly Part[], isProtocolError: boolean) => Limited | undefined) | null;
  readonly protocolError: (error: ProtocolError) => readonly ShownText[];
  /** The text of `params` that a server pushes; null where no model reads it. */
  readonly channel: ((params: unknown) => string) | null;
  /** Null when no limit is known. */
  readonly limit: ((parts: readonly Part[], terms: LimitTerms) => Limited | undefined) | null;
  /** Links and resources are priced as the JSON of their block, base64 included. */
  readonly resourcesAsJson: boolean;
  /** The answer goes to a script, so the text for the model is unknown. */
  readonly isScripted: (caller: Caller) => boolean;
  readonly sessionId: string | undefined;
  /** Added by the client: calls that differ only in them are the same call. */
  readonly ownArguments: readonly string[];
  /** Names under which it only tries a server. */
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

/** The definitions of all servers, and of the client's own tools that it loads on demand, as a share of the window. */
type DeferralByShare = { readonly overPercent: number; readonly clientTokens: number };

export function defers(deferral: Deferral, tokens: number, windowTokens: number): boolean {
  if (typeof deferral === "string") return deferral === "always";
  return (tokens + deferral.clientTokens) * 100 > deferral.overPercent * windowTokens;
}

/** Of a skill a model reads these members of its frontmatter, before it is loaded. */
type SkillText = { readonly name: string; readonly description: string };

export type DefinitionRules = {
  readonly deferral: Deferral;
  /** As the model reads it: renamed, cut, with added parameters. */
  readonly form: (tool: JsonObject, isLoaded: boolean) => JsonObject;
  /** Where others are loaded on demand, it is in the context from the start. */
  readonly isPreloaded?: (tool: JsonObject) => boolean;
  readonly listing: (tool: JsonObject) => string;
  /** Text for a skill of the server before it is loaded; by default its name and description. */
  readonly skill?: (skill: SkillText) => string;
  readonly instructions: (instructions: string, isDeferred: boolean) => string;
  /** Instructions that come with the first loaded definition; empty for none. */
  readonly loadedInstructions: (instructions: string) => string;
  readonly repeatsInstructions: boolean;
  /** Without showing pages, it lists the tools that are for them alone to no model. */
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

export function plainSkill({ name, description }: SkillText): string {
  return `- ${name}: ${description}\n`;
}
