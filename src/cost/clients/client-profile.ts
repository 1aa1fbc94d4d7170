import type { Caller } from "../caller.ts";
import type { Part, TextPart } from "../part.ts";
import type { Block, BlockKind } from "./block.ts";
import type { DefinitionRules } from "./definition-rules.ts";

/** A text of the client's own, or a part of the answer as it is. */
export type Piece = string | Part;

/** One text as the model reads it, in its pieces; media stand between texts. */
export type ShownText = readonly Piece[];

/** The request that an answer belongs to, as far as a client repeats it: the tool, and its arguments as JSON. */
export type Echo = { readonly tool: string; readonly args: string };

/** A tool's answer as rules get it. */
export type AnswerFacts = {
  readonly blocks: readonly Block[];
  /** `structuredContent` as its compact JSON; undefined when it is absent or null. */
  readonly structured: TextPart | undefined;
  /** True when a text block is `structuredContent` as its compact JSON, to the character. */
  readonly isTwice: boolean;
  /** The whole result as its compact JSON. */
  readonly json: () => string;
  readonly asked: Echo;
};

/** A JSON-RPC error as rules get it. */
export type ProtocolError = {
  /** As JSON. */
  readonly code: string;
  readonly message: string;
  /** As JSON; empty when there are none. */
  readonly data: string;
  /** Code, message and data, as they are priced on the wire. */
  readonly parts: readonly TextPart[];
  readonly asked: Echo;
};

/** Which of `content` and `structuredContent` a model reads when an answer has both. */
type Order =
  | "structured-first"
  | "content-first"
  /** `structuredContent` is never read. */
  | "content-only"
  /** Both, or only `content` when a text says the same. */
  | "structured-then-content"
  | "content-then-structured"
  /** Both, always. */
  | "both";

/** The rest that a client leaves of an answer that is too long, and the alert about it. */
export type Limited = {
  readonly parts: readonly Part[];
  readonly alert: "would_truncate" | "would_spill";
  readonly value: number;
  readonly limit: number;
  readonly unit: "character" | "byte" | "line" | "token";
};

/** The conditions of a limit. */
export type LimitTerms = {
  /** The tool's `_meta["anthropic/maxResultSizeChars"]`, as the server sent it. */
  readonly requestedCharacters: () => unknown;
  /** Content blocks of the answer. */
  readonly blocks: number;
  /** Tokens of the texts, or any number above `enough`. */
  readonly count: (parts: readonly Part[], enough: number) => number;
};

/** How a client changes a tool's answer and its definitions before its model reads them. Sources: docs/notes/clients.md. */
export type ClientProfile = {
  /** Name of the rule in records. */
  readonly id: "structured-first" | "content-first" | "both" | "unknown";
  /** Beginnings of `clientInfo.name` in lower case; `*` stands for any text. */
  readonly names: readonly string[];
  /** The version and the day it was measured; null for rules that are published and not measured. */
  readonly measured: { readonly version: string; readonly on: string } | null;
  readonly order: Order;
  /** True for a client of which nothing is known: it may show both halves, and budgets count them. */
  readonly mayShowBoth: boolean;
  /** Kinds of blocks shown next to `structuredContent` where it goes first. */
  readonly besideStructured: readonly BlockKind[];
  /** Text before an answer; empty for none. */
  readonly header: string;
  /** Text between blocks that become one text; null when each stays a text of its own. */
  readonly joint: string | null;
  /** Text in the place of an answer without anything to show. */
  readonly empty: (asked: Echo) => string;
  readonly blocks: { readonly [kind in BlockKind]: (block: Block, asked: Echo) => ShownText };
  /** The error in the place of an answer with a block of an unknown kind; null when such a block is shown. */
  readonly invalid: {
    /** True when `structuredContent: null` is rejected too. */
    readonly isNullRejected: boolean;
    readonly show: (reason: string, asked: Echo, result: unknown) => readonly ShownText[];
  } | null;
  /** False when blocks annotated for the user alone are kept from the model. */
  readonly showsUserOnly: boolean;
  /** An answer with `isError`; null when it is shown like any other. */
  readonly toolError: ((answer: AnswerFacts) => readonly ShownText[]) | null;
  /** The rest of a long answer with `isError`, where it has a text of its own; null when nothing is known to be cut. */
  readonly errorLimit: ((parts: readonly Part[]) => Limited | undefined) | null;
  readonly protocolError: (error: ProtocolError) => readonly ShownText[];
  /** The rest of a long answer; null when nothing is known to be cut. */
  readonly limit: ((parts: readonly Part[], terms: LimitTerms) => Limited | undefined) | null;
  /** True when links and resources are priced as the JSON of their block, base64 included. */
  readonly resourcesAsJson: boolean;
  /** True when the answer to this call goes to a script, so that it is not known what the model reads. */
  readonly isScripted: (caller: Caller) => boolean;
  /** The client's own id of its session, where the environment has it. */
  readonly sessionId: string | undefined;
  /** Arguments that it adds to calls for itself: a call with another value of them is the same call. */
  readonly ownArguments: readonly string[];
  /** Names under which it only tries a server: such a session without a call leaves nothing. */
  readonly trialNames: readonly string[];
  /** The place where its model can read a file. */
  readonly spillPlace: SpillPlace;
  readonly definitions: DefinitionRules;
};

/** A folder for the answers that mcp-meter saves: our state folder, or one in the client's workspace. */
export type SpillPlace = "state" | "workspace";

/** The facts that select a variant of a profile. */
export type ClientFacts = {
  /** The model that the user names. */
  readonly model?: string | undefined;
  /** The environment that the client passes to its servers. */
  readonly env?: Readonly<{ [name: string]: string | undefined }>;
};
