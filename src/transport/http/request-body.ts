import { isUtf8 } from "node:buffer";
import { heldRequestBytesMax, requestBytesMax } from "#kit/limits.ts";
import { mediaType } from "#wire/endpoint/mcp-endpoint.ts";
import { openBrace } from "#kit/text/ascii.ts";
import { joinBytes, type Line } from "#wire/line.ts";
import { introducedClient } from "#wire/introduction.ts";
import { isObject } from "#wire/json.ts";
import type { Message } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { ConversationKey } from "./http-conversation.ts";

// Accepted however many others are open: a usual body is a thousandth of it.
export const shortRequestBytesMax = 1024 * 1024;

export type MemoryShare = {
  /** Takes room for that many bytes in all; false when there is too little left. */
  readonly reserve: (bytes: number) => boolean;
  readonly end: () => void;
};

/** The memory that the long bodies of all open requests may take together; short ones need no room. */
export class BodyMemory {
  #taken = 0;

  share(): MemoryShare {
    let taken = 0;
    return {
      reserve: (bytes) => {
        const more = Math.max(0, reservedBytes(bytes) - taken);
        if (this.#taken + more > heldRequestBytesMax) return false;
        this.#taken += more;
        taken += more;
        return true;
      },
      end: () => {
        this.#taken -= taken;
        taken = 0;
      },
    };
  }
}

function reservedBytes(bytes: number): number {
  return bytes > shortRequestBytesMax ? bytes : 0;
}

/** The bytes that the headers of a request announce: a request that does not fit is refused before it is sent. */
export function readContentLength(headers: Headers): number {
  return Math.min(Number(headers.get("content-length")) || 0, requestBytesMax);
}

/** The body of a request, which is undefined where it has none, or why there is no need to forward it. */
type ReadBody =
  | { readonly kind: "read"; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "gone" | "tooLong" | "full" };

export async function readRequestBody(
  request: Pick<Request, "headers" | "bytes" | "body">,
  reserve: MemoryShare["reserve"],
): Promise<ReadBody> {
  try {
    const announced = readContentLength(request.headers);
    // A stream takes a tenth of the time of a call.
    if (announced > 0 && announced <= shortRequestBytesMax) {
      return { kind: "read", bytes: await request.bytes() };
    }
    const { body } = request;
    if (!body) return { kind: "read", bytes: undefined };
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > requestBytesMax) return { kind: "tooLong" };
      if (!reserve(size)) return { kind: "full" };
    }
    return { kind: "read", bytes: joinBytes(chunks) };
  } catch {
    return { kind: "gone" };
  }
}

/** The type of a message, written so that all servers read the same charset in it. */
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-?8|"utf-?8")[ \t]*)?;?$/i;

/** True for a body that all servers read alike: servers guess UTF-16 from its zeros, and obey a charset or a coding. */
export function isPlainJson(bytes: Uint8Array, headers: Headers): boolean {
  if (!jsonType.test(headers.get("content-type") ?? "") || isCoded(headers)) return false;
  const isMarked = bytes[0] === 0xef;
  return !isMarked && !bytes.includes(0) && isUtf8(bytes);
}

/** True for the fields of a form: some servers take a body with a brace for JSON, of any type. */
export function isForm(bytes: Uint8Array, headers: Headers): boolean {
  const isTyped = mediaType(headers) === "application/x-www-form-urlencoded";
  return isTyped && !isCoded(headers) && !bytes.includes(openBrace);
}

export function isCoded(headers: Headers): boolean {
  return (headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
}

export type ParsedRequest = {
  readonly method: string;
  readonly line: Line | undefined;
  readonly isMessage: boolean;
  readonly isRequest: boolean;
  /** True for a request or a batch: the client reads the answer. */
  readonly isAwaited: boolean;
  readonly isInitialize: boolean;
  /** True for the stateless protocol of 2026-07-28 and later. */
  readonly isModern: boolean;
  readonly key: ConversationKey;
  readonly isResumed: boolean;
};

/** The first revision without sessions. */
const statelessRevision = "2026-07-28";

/** The client of legacy exchanges without a session: no message names it. */
export const unnamedClient = "";

export function parseRequest(
  method: string,
  headers: Headers,
  line: Line | undefined,
): ParsedRequest {
  const message = line && parseMessage(line);
  const request = message?.kind === "request" ? message : undefined;
  const introduced = request && introducedClient(request.method, request.params);
  const isInitialize = request?.method === "initialize";
  const isModern = introduced ? introduced.era === "modern" : isStateless(headers);
  const session = headers.get("mcp-session-id");
  const hasSession = !isModern && session !== null;
  return {
    method,
    line,
    isMessage: isMessage(message),
    isRequest: request !== undefined,
    isAwaited: request !== undefined || message?.kind === "batch",
    isInitialize,
    isModern,
    isResumed: headers.has("last-event-id"),
    key: hasSession ? { session } : { client: describeClient(introduced?.client) },
  };
}

function isMessage(message: Message | undefined): boolean {
  return message !== undefined && message.kind !== "opaque";
}

/** True for JSON that some server may take for a request: some read names in any case, and need no version. */
export function mayNameMethod(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    const names = [value]
      .flat()
      .flatMap((element) => (isObject(element) ? Object.keys(element) : []));
    return names.some((name) => name.toLowerCase() === "method");
  } catch {
    return true;
  }
}

function isStateless(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version") ?? "";
  return /^\d{4}-/.test(version) && version >= statelessRevision;
}

type Client = { readonly name: string; readonly version: string | undefined } | undefined;

function describeClient(client: Client): string {
  return client ? JSON.stringify([client.name, client.version]) : unnamedClient;
}
