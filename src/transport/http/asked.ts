import { introducedClient } from "#wire/introduction.ts";
import { isObject } from "#wire/json.ts";
import type { Line } from "#wire/line.ts";
import type { Message } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { ConversationKey } from "./http-conversation.ts";

export type Asked = {
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
export const namelessClient = "";

export function readAsked(method: string, headers: Headers, line: Line | undefined): Asked {
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
    key: hasSession ? { session } : { client: clientOf(introduced?.client) },
  };
}

function isMessage(message: Message | undefined): boolean {
  return message !== undefined && message.kind !== "opaque";
}

/** True for JSON that some server may take for a request: some read names in any case, and need no version. */
export function namesMethod(body: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    const names = [value].flat().flatMap((one) => (isObject(one) ? Object.keys(one) : []));
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

function clientOf(client: Client): string {
  return client ? JSON.stringify([client.name, client.version]) : namelessClient;
}
