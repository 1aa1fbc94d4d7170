import { lineObservedBytesMax } from "#kit/limits.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { type CleanText, keepText, joinLines, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { readArray, stringifyCompact, readMember, readString, isObject } from "#wire/json.ts";
import type { ServerLife } from "./stdio-server.ts";
import { isAcceptedEverywhere } from "#wire/parse-message.ts";

export const foreignLinesMax = 10_000;

// Above `lineObservedBytesMax`, so that the length of an unread answer can be reported.
export const answerBytesMax = 64 * 1024 * 1024;

const failureCharactersMax = 200;

export const toolErrorCharactersMax = 500;

export const failureFaultsCharactersMax = 64 * 1024;

export class TimeoutError extends Error {}

// Its message is a clause that we wrote, in which the server is "it".
export class UselessAnswer extends Error {}

export class RefusedRequest extends Error {
  readonly method: string;
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(message);
    this.method = method;
    this.code = code;
  }
}

export type FailedServer = {
  readonly life: ServerLife;
  readonly exit: string | undefined;
  readonly foreignLines: number;
  readonly isRemote?: boolean;
};

export function describeFailure(
  error: unknown,
  server: FailedServer,
  { timeoutMs, clean }: { readonly timeoutMs: number; readonly clean: CleanText },
): string {
  const { life, exit, foreignLines, isRemote = false } = server;
  if (life !== "ended-by-itself" && foreignLines > foreignLinesMax) {
    return `it ${describeGarbage(`more than ${foreignLinesMax}`, isRemote)}`;
  }
  const garbage = foreignLines === 0 ? "" : ` and ${describeGarbage(foreignLines, isRemote)}`;
  if (life === "ended-by-itself" && exit === undefined) return `it closed its stdout${garbage}`;
  if (life === "ended-by-itself") return `it ${exit} before it answered${garbage}`;
  if (error instanceof TimeoutError) {
    return `it did not answer within ${formatSeconds(timeoutMs)}${garbage}`;
  }
  if (error instanceof UselessAnswer) return `${error.message}${garbage}`;
  return readErrorCode(error) === "CONNECTION_CLOSED"
    ? `mcp-meter stopped it before it answered${garbage}`
    : `its answer is not valid: ${describeFirstLine(error, clean)}${garbage}`;
}

export type UnreadableAnswer = {
  readonly size: number;
  readonly cause: "long" | "deep" | "unanswered" | "endless" | IgnoredForm;
};

export function describeUnreadable({ size, cause }: UnreadableAnswer, method: string): string {
  const max = lineObservedBytesMax / 1024 / 1024;
  switch (cause) {
    case "long":
      return `its answer to ${method} has ${formatCount(size)} bytes, more than the ${max} MiB that mcp-meter reads`;
    case "deep":
      return `its answer to ${method} is nested too deeply or has too many parts to be read`;
    case "unanswered":
      return `its answer to ${method} ended without a result`;
    case "endless":
      return `its answer to ${method} has more than ${answerBytesMax / 1024 / 1024} MiB`;
    default:
      return `its answer to ${method} ${formFaults[cause]}, so clients ignore it`;
  }
}

export function describeTimeout(timeoutMs: number): string {
  return `no answer within ${formatSeconds(timeoutMs)}`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

export function isTimeout(error: unknown): boolean {
  return readErrorCode(error) === "REQUEST_TIMEOUT";
}

function describeGarbage(lines: number | string, isRemote: boolean): string {
  const [plural, verb] = lines === 1 ? ["", "is"] : ["s", "are"];
  return isRemote
    ? `sent ${lines} event${plural} that ${verb} not JSON-RPC`
    : `wrote ${lines} line${plural} to stdout that ${verb} not JSON-RPC`;
}

export function readToolError(result: unknown, clean: CleanText): string | null {
  const texts = readArray(result, "content").map((block) => readString(block, "text") ?? "");
  const structure = readMember(result, "structuredContent");
  const text =
    texts.join(" ").trim() || (structure === undefined ? "" : stringifyCompact(structure));
  const line = joinLines(text, clean).slice(0, toolErrorCharactersMax).toWellFormed();
  return line === "" ? null : escapeUnsafe(line);
}

export function describeFirstLine(error: unknown, clean: CleanText = keepText): string {
  const message = clean(error instanceof Error ? error.message : String(error));
  const text = replaceWithIssue(message);
  return escapeUnsafe((text.split("\n", 1)[0] ?? "").slice(0, failureCharactersMax));
}

// The client library writes faults as JSON in its message, one member per line.
function replaceWithIssue(text: string): string {
  const start = text.indexOf("[\n");
  if (start < 0 || text.length - start > failureFaultsCharactersMax) return text;
  try {
    const [issue]: unknown[] = Array.from(JSON.parse(text.slice(start)));
    const message = readString(issue, "message");
    const path = readArray(issue, "path").map(String).join(".");
    return message === undefined ? text : `${text.slice(0, start)}${path}: ${message}`;
  } catch {
    return text;
  }
}

export function readErrorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

type IgnoredForm = "byte_order_mark" | "batch" | "not_json" | "meta" | "not_response";

const byteOrderMark = [0xef, 0xbb, 0xbf];

// Clients' parsers do not strip it.
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, at) => bytes[at] === byte);
}

export function findIgnoredForm(message: unknown): IgnoredForm | undefined {
  if (!isObject(message) || "method" in message) return undefined;
  const meta = readMember(message, "result", "_meta");
  if (meta !== undefined && !isObject(meta)) return "meta";
  // The members of `_meta` matter only in some eras, so `findMetaFault` judges them.
  const { result } = message;
  const relevant = isObject(result) && meta !== undefined ? { ...result, _meta: {} } : result;
  const judged = "result" in message ? { ...message, result: relevant } : message;
  return isAcceptedEverywhere(judged) ? undefined : "not_response";
}

const formFaults: { readonly [form in IgnoredForm]: string } = {
  byte_order_mark: "begins with a byte order mark",
  batch: "is in a batch",
  not_json: "has NaN or Infinity, which are not JSON",
  meta: "has a _meta that is not an object",
  not_response: "is not a JSON-RPC 2.0 response",
};
