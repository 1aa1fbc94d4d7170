/** A JSON-RPC id as the peers compare it. Numbers beyond 2^53 also carry their text. */
export type Id = { readonly value: string | number; readonly raw?: string };

/** One JSON-RPC message. `truncated` ones were too long or too deep to read: only the frame is known. */
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
  | {
      readonly kind: "result";
      readonly id: Id;
      readonly result: unknown;
      readonly truncated: boolean;
    }
  | {
      readonly kind: "error";
      readonly id: Id | undefined;
      readonly error: unknown;
      readonly truncated: boolean;
    }
  | { readonly kind: "opaque"; readonly reason: OpaqueReason };

/** What one line says. */
export type Message =
  | SingleMessage
  | { readonly kind: "batch"; readonly items: readonly SingleMessage[]; readonly left: number };

export type OpaqueReason = "blank" | "not-json" | "not-rpc";
