/** A part of the bytes that one side writes: text, bytes that are not text, or one text many times. */
export type Piece =
  string | { readonly base64: string } | { readonly text: string; readonly times: number };

/** The two programs that the fuzzer plays. */
export type Speaker = "client" | "server";

/** Bytes that one side writes, usually one line. */
export type Step = {
  readonly by: Speaker;
  readonly pieces: readonly Piece[];
  /** Offsets at which the write is split. */
  readonly cuts?: readonly number[];
  /** The step is left out unless this text has reached its speaker: no answer without a request. */
  readonly needs?: string;
};

/** How a session ends. `code` and `signal` are the server's. */
export type Ending =
  /** The client closes its output, then the server exits. */
  | { readonly kind: "eof"; readonly code: number }
  /** The server closes its output first, then the client closes its own. */
  | { readonly kind: "half-close"; readonly code: number }
  /** The server exits while the client is connected. */
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "crash"; readonly signal: "SIGKILL" | "SIGABRT" }
  /** A signal to mcp-meter. */
  | { readonly kind: "term" }
  | { readonly kind: "kill" };

/** One session: everything that both sides do. */
export type Script = {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly ending: Ending;
};

/** Sessions under one set of options, one after the other in one state folder. */
export type Play = { readonly set: string; readonly scripts: readonly Script[] };

/** The bytes of a step. */
export function bytesOf(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(pieceBytes));
}

function pieceBytes(piece: Piece): Buffer {
  if (typeof piece === "string") return Buffer.from(piece);
  return "base64" in piece
    ? Buffer.from(piece.base64, "base64")
    : Buffer.from(piece.text.repeat(piece.times));
}
