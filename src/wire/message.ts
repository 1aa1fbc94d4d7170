/** A JSON-RPC id as peers compare it. Numbers beyond 2^53 also carry their text. */
export type Id = { readonly value: string | number; readonly raw?: string };

/** Present where an SDK client may reject the message, so that its request still waits for an answer. */
type Doubt = { readonly mayBeRejected?: true };

/** One JSON-RPC message. A `truncated` one was too long or too deep to parse: its payload is undefined. */
export type SingleMessage =
  | {
      readonly kind: "request";
      readonly id: Id;
      readonly method: string;
      readonly params: unknown;
      readonly truncated: boolean;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: unknown;
      readonly truncated: boolean;
    }
  | ({
      readonly kind: "result";
      readonly id: Id;
      readonly result: unknown;
      /** The error of a message that has both; clients differ in which they read. */
      readonly error?: unknown;
      readonly truncated: boolean;
    } & Doubt)
  | ({
      readonly kind: "error";
      readonly id: Id | undefined;
      readonly error: unknown;
      readonly truncated: boolean;
    } & Doubt)
  | {
      readonly kind: "opaque";
      readonly reason: OpaqueReason;
      /** Lines that are not blank, where several came as one. */
      readonly lines?: number;
      /** True for a line that may contain a message which a client can read. */
      readonly isFramed?: true;
      readonly isAsking?: true;
    };

export type OpaqueMessage = Extract<SingleMessage, { readonly kind: "opaque" }>;

/** The content of one line; `left` counts the elements of a batch beyond the limit. */
export type Message =
  | SingleMessage
  | { readonly kind: "batch"; readonly items: readonly SingleMessage[]; readonly left: number };

/** Why a line is not a message; the last two are only asked about where messages may be refused. */
export type OpaqueReason = "blank" | "not-json" | "not-rpc" | "ambiguous" | "not-utf-8";

export type Side = "client" | "server";

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** The line of a JSON-RPC result; `rawId` is the text of the id as the request contains it. */
export function resultLine(rawId: string, result: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"result":${JSON.stringify(result)}`);
}

/** The line of a JSON-RPC error; `rawId` as for a result. */
export function errorLine(rawId: string, error: unknown): Uint8Array {
  return encodeLine(`"id":${rawId},"error":${JSON.stringify(error)}`);
}

export function notificationLine(method: string, params: unknown): Uint8Array {
  return encodeLine(`"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}`);
}

function encodeLine(members: string): Uint8Array {
  return new TextEncoder().encode(`{"jsonrpc":"2.0",${members}}\n`);
}

/** Code of our JSON-RPC errors: outside the range -32768…-32000 that JSON-RPC and MCP reserve. */
const refusalCode = -31_900;

type RefusalData = {
  readonly source: "mcp-meter";
  readonly reason: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly spent: number;
  readonly tokens: number;
  readonly per: string;
};

export function refusedResult(text: string, isModern: boolean): unknown {
  const type = isModern ? { resultType: "complete" } : {};
  return { ...type, content: [{ type: "text", text }], isError: true };
}

export function refusedError(text: string, data: RefusalData): unknown {
  return { code: refusalCode, message: text, data };
}
