import { readMediaType } from "#wire/endpoint/mcp-endpoint.ts";
import { openBrace } from "#kit/text/ascii.ts";
import { joinBytes, type Line } from "#wire/line.ts";
import { readClientIntroduction, type Message } from "#wire/message.ts";
import { listMemberNames } from "./verdict.ts";
import { parseMessage, skimIfTooComplex } from "#wire/parse-message.ts";
import { isUtf8 } from "node:buffer";
import { readUser } from "./headers.ts";
import type { ConversationKey } from "./http-conversation.ts";
import type { RequestHead } from "./relay.ts";

// Bodies are held in memory, so a body over this size is refused with 413.
export const requestBytesMax = 64 * 1024 * 1024;

// The long bodies of all open requests together may take this much. A body that does not fit is refused with 503.
export const heldRequestBytesMax = 4 * requestBytesMax;

// Bodies up to this size need no reservation: most bodies are a thousand times smaller.
export const shortRequestBytesMax = 1024 * 1024;

export type MemoryShare = {
  readonly reserve: (bytes: number) => boolean;
  readonly end: () => void;
};

export class BodyMemory {
  #reservedBytes = 0;

  share(): MemoryShare {
    let shareBytes = 0;
    return {
      reserve: (bytes) => {
        const added = Math.max(0, (bytes > shortRequestBytesMax ? bytes : 0) - shareBytes);
        if (this.#reservedBytes + added > heldRequestBytesMax) return false;
        this.#reservedBytes += added;
        shareBytes += added;
        return true;
      },
      end: () => {
        this.#reservedBytes -= shareBytes;
        shareBytes = 0;
      },
    };
  }
}

// The caller reserves memory for this length before the body is read.
export function readContentLength(headers: Headers): number {
  return Math.min(Number(headers.get("content-length")) || 0, requestBytesMax);
}

type RequestBody =
  | { readonly kind: "complete"; readonly bytes: Uint8Array | undefined }
  | { readonly kind: "clientLeft" | "tooLong" | "memoryFull" };

export async function readRequestBody(
  request: Pick<Request, "headers" | "bytes" | "body">,
  reserve: MemoryShare["reserve"],
): Promise<RequestBody> {
  try {
    const announcedBytes = readContentLength(request.headers);
    // Reading a stream would add a tenth to the time of a call.
    if (announcedBytes > 0 && announcedBytes <= shortRequestBytesMax) {
      return { kind: "complete", bytes: await request.bytes() };
    }
    const { body } = request;
    if (!body) return { kind: "complete", bytes: undefined };
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > requestBytesMax) return { kind: "tooLong" };
      if (!reserve(size)) return { kind: "memoryFull" };
    }
    return { kind: "complete", bytes: joinBytes(chunks) };
  } catch {
    return { kind: "clientLeft" };
  }
}

// Only spellings that mean the same charset to all servers.
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-?8|"utf-?8")[ \t]*)?;?$/i;

// True if all servers read the body alike. Some guess UTF-16 from NUL bytes; some obey the charset or content coding.
export function isPlainJson(bytes: Uint8Array, headers: Headers): boolean {
  if (!jsonType.test(headers.get("content-type") ?? "") || hasContentCoding(headers)) return false;
  const hasByteOrderMark = bytes[0] === 0xef;
  return !hasByteOrderMark && !bytes.includes(0) && isUtf8(bytes);
}

// A body with a brace is not a form: some servers parse it as JSON despite its type.
export function isForm(bytes: Uint8Array, headers: Headers): boolean {
  const hasFormType = readMediaType(headers) === "application/x-www-form-urlencoded";
  return hasFormType && !hasContentCoding(headers) && !bytes.includes(openBrace);
}

export function hasContentCoding(headers: Headers): boolean {
  return (headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
}

export type ParsedRequest = {
  readonly method: string;
  readonly line: Line | undefined;
  readonly isMessage: boolean;
  readonly isRequest: boolean; // a single request
  readonly isAwaited: boolean; // a request or a batch, so the client reads the answer
  readonly isInitialize: boolean;
  readonly isModern: boolean; // speaks the stateless protocol of 2026-07-28 or later
  readonly key: ConversationKey;
  readonly isResumed: boolean; // continues an event stream that broke off
};

const statelessRevision = "2026-07-28";

export const unnamedClient = "";

export function parseRequest(
  { method, headers }: Pick<RequestHead, "method" | "headers">,
  line: Line | undefined,
  userHeader?: string,
): ParsedRequest {
  const message = line && parseMessage(line);
  const request = message?.kind === "request" ? message : undefined;
  const introduction = request && readClientIntroduction(request.method, request.params);
  const isInitialize = request?.method === "initialize";
  const isModern = introduction ? introduction.era === "modern" : isStateless(headers);
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
    key: {
      ...(hasSession ? { session } : { client: describeClient(introduction?.client) }),
      user: readUser(headers, userHeader),
    },
  };
}

function isMessage(message: Message | undefined): boolean {
  return message !== undefined && message.kind !== "opaque";
}

// True if some server may find a method in the body. Some ignore the case of names and need no `jsonrpc` member.
export function mayNameMethod(body: Uint8Array): boolean {
  if (skimIfTooComplex(body)) return true;
  return listMemberNames(body)?.some((name) => name.toLowerCase() === "method") ?? true;
}

function isStateless(headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version") ?? "";
  return /^\d{4}-/.test(version) && version >= statelessRevision;
}

type Client = { readonly name: string; readonly version: string | undefined } | undefined;

function describeClient(client: Client): string {
  return client ? JSON.stringify([client.name, client.version]) : unnamedClient;
}
