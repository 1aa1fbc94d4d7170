import type { Caller } from "#wire/message.ts";
import type { Part, TextPart, Block, BlockKind } from "./block.ts";
import type { JsonObject } from "#wire/json.ts";

// Text that a client adds or rewrites, or a part of the answer as it is.
export type Piece = string | Part;

// One or more pieces of a text, or one file, such as an image, with its labels.
export type ShownItem = readonly Piece[];

// The facts of a request that clients repeat in their texts.
export type Echo = { readonly tool: string; readonly args: string };

export type AnswerFacts = {
  readonly blocks: readonly Block[];
  readonly structured: TextPart | undefined; // compact JSON; undefined if absent or null
  readonly isStructuredRepeated: boolean; // a text block equals `structured`, character by character
  readonly duplicate: readonly Part[]; // text blocks with the same JSON value as the structured content
  readonly meta: unknown;
  readonly json: () => string; // of the whole result
  readonly echo: Echo;
};

export type ProtocolError = {
  readonly code: string;
  readonly message: string;
  readonly data: string;
  readonly parts: readonly TextPart[];
  readonly echo: Echo;
};

// `hasShownMedia`: the client has shown an image or another file of this answer before this block.
type BlockRule = (
  block: Block,
  answer: Pick<AnswerFacts, "echo" | "structured">,
  hasShownMedia: boolean,
) => ShownItem;

type Order =
  | "prefer-structured" // structured content and the blocks of `besideStructured`, or else the content
  | "prefer-content" // the content, or else structured content
  | "content-only"
  | "structured-then-content" // structured content is left out if a text block equals it
  | "content-then-structured" // structured content is left out if the only text block equals it
  | "both";

export type LimitedAnswer = {
  readonly parts: readonly Part[];
  readonly alert: "would_truncate" | "would_spill";
  readonly value: number;
  readonly limit: number;
  readonly unit: "character" | "byte" | "line" | "token";
};

type ErrorKind = { readonly isProtocolError: boolean };

export type LimitContext = {
  readonly declaredCharactersMax: () => unknown; // in `_meta` of the tool's definition
  readonly blocks: number;
  readonly count: (parts: readonly Part[], tokensMax: number) => number;
};

// How a client changes tool answers and definitions before its model reads them. Sources: docs/notes/clients.md.
export type ClientProfile = {
  readonly recordedAs: "structured-first" | "content-first" | "both" | "unknown"; // `profile` in records
  readonly client?: string; // its name in reports
  readonly names: readonly string[]; // on the wire and in logs
  // Null if the rules are not measured.
  readonly measured: {
    readonly version: string;
    readonly on: string; // date
    readonly kinds: readonly BlockKind[]; // measured in successful answers
  } | null;
  readonly order: Order;
  readonly isUnknown: boolean; // stands for every client without a profile
  readonly besideStructured: readonly BlockKind[]; // shown next to `structuredContent`
  readonly header: string; // text before every answer
  readonly separator: string | null; // between texts; null: each text stays an item of its own
  readonly formatEmpty: (echo: Echo) => string; // the text for an answer without text
  readonly isBlank: (text: string) => boolean;
  readonly blocks: { readonly [kind in BlockKind]: BlockRule };
  readonly renderWhole?: (answer: AnswerFacts) => readonly ShownItem[]; // replaces `order` and `blocks`
  // The texts for the model if the client's library rejects the answer; null if it never rejects one.
  readonly renderRejection:
    ((result: unknown, answer: AnswerFacts) => readonly ShownItem[] | undefined) | null;
  readonly showsUserBlocks: boolean; // the model also gets blocks whose only audience is the user
  // Null if errors are shown like other answers.
  readonly renderToolError: ((answer: AnswerFacts) => readonly ShownItem[]) | null;
  // `limitError` and `limitAnswer` apply the client's limits. Null: no limits. They return undefined to show all parts.
  readonly limitError:
    ((parts: readonly Part[], error: ErrorKind) => LimitedAnswer | undefined) | null;
  readonly renderProtocolError: (error: ProtocolError) => readonly ShownItem[];
  // Formats a `notifications/claude/channel` message for the model. Null if the client ignores such messages.
  readonly formatChannel: ((params: unknown) => string) | null;
  readonly limitAnswer:
    ((parts: readonly Part[], context: LimitContext) => LimitedAnswer | undefined) | null;
  readonly showsMeta?: boolean; // shows the model the `_meta` of every tool result, not only of errors
  // Shows links and resources as the JSON of their block, base64 included.
  readonly resourcesAsJson: boolean;
  readonly isScripted: (caller: Caller) => boolean; // a script reads the answer, not the model
  readonly clientSessionId: string | undefined; // from the client's environment
  readonly addedArguments: readonly string[]; // names of parameters that the client adds to tools
  readonly trialNames: readonly string[]; // under which the client tests a server
  readonly spillFolder: SpillFolder;
  readonly definitions: DefinitionRules;
};

export type SpillFolder = "state" | "workspace";

export type ClientDetails = {
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly env?: Readonly<{ [name: string]: string | undefined }>;
};

export type Deferral = "never" | "always" | DeferralByShare;

// The client defers tools if server tools and built-in deferrable tools together exceed a percentage of the window.
type DeferralByShare = { readonly overPercent: number; readonly clientTokens: number };

export function defers(deferral: Deferral, tokens: number, windowTokens: number): boolean {
  if (typeof deferral === "string") return deferral === "always";
  return (tokens + deferral.clientTokens) * 100 > deferral.overPercent * windowTokens;
}

// The frontmatter that a model reads before it loads a skill.
type SkillText = { readonly name: string; readonly description: string };

export type DefinitionRules = {
  readonly deferral: Deferral;
  // The tool as the model reads it: renamed, cut, with added parameters. `isLoaded`: loaded on demand.
  readonly formatTool: (tool: JsonObject, isLoaded: boolean) => JsonObject;
  readonly isPreloaded?: (tool: JsonObject) => boolean;
  readonly formatListing: (tool: JsonObject) => string; // names a tool that can be loaded
  readonly formatSkill?: (skill: SkillText) => string;
  readonly formatInstructions: (instructions: string, isDeferred: boolean) => string;
  readonly formatLoadedInstructions: (instructions: string) => string;
  readonly repeatsInstructions: boolean; // with each loaded tool
  readonly hidesAppTools?: boolean; // hides tools that only apps may call, because the client shows no apps
  readonly sortsTools?: boolean; // by name
  readonly keepsTools?: boolean; // as first listed, for the whole conversation
};

export const plainDefinitions: DefinitionRules = {
  deferral: "never",
  formatTool: (tool) => tool,
  formatListing: () => "",
  formatInstructions: (instructions) => instructions,
  formatLoadedInstructions: () => "",
  repeatsInstructions: false,
};

export function formatSkill({ name, description }: SkillText): string {
  return `- ${name}: ${description}\n`;
}
