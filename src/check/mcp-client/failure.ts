import { attempt } from "#kit/errors.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { type Redactor, keepText, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { readArray, readMember, readString, isObject } from "#wire/json.ts";
import type { ServerLife } from "./stdio-server.ts";
import { isAcceptedEverywhere } from "#wire/parse-message.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

export const foreignLinesMax = 10_000;

// Answers longer than `lineObservedBytesMax` are not parsed. Over HTTP, we still count their bytes, up to
// `answerBytesMax`, because the failure text states the size.
export const answerBytesMax = 64 * 1024 * 1024;

const failureCharactersMax = 200;

export const issuesCharactersMax = 64 * 1024;

export class TimeoutError extends Error {}

// Its message is a clause about the server, such as `its list of tools is too long`.
export class UnusableAnswer extends Error {}

export class RefusedRequest extends Error {
  // The method of the request, or `to connect`.
  readonly action: string;
  readonly code: number;

  constructor(action: string, code: number, message: string) {
    super(message);
    this.action = action;
    this.code = code;
  }
}

export type FailedServer = {
  readonly life: ServerLife;
  // Continues a sentence about the server: `ended with code 1`.
  readonly exit: string | undefined;
  readonly foreignLineCount: number;
  readonly isRemote?: boolean;
};

export function describeFailure(
  error: unknown,
  server: FailedServer,
  { timeoutMs, redact }: { readonly timeoutMs: number; readonly redact: Redactor },
): string {
  const { life, exit, foreignLineCount, isRemote = false } = server;
  if (life !== "ended-by-itself" && foreignLineCount > foreignLinesMax) {
    return `it ${describeForeignLines(`more than ${foreignLinesMax}`, isRemote)}`;
  }
  const foreign =
    foreignLineCount === 0 ? "" : `, and it ${describeForeignLines(foreignLineCount, isRemote)}`;
  if (life === "ended-by-itself" && exit === undefined) return `it closed its stdout${foreign}`;
  if (life === "ended-by-itself") return `it ${exit} before it answered${foreign}`;
  if (error instanceof TimeoutError) {
    return `it did not answer within ${formatSeconds(timeoutMs)}${foreign}`;
  }
  if (error instanceof UnusableAnswer) return `${error.message}${foreign}`;
  return readSdkErrorCode(error) === "CONNECTION_CLOSED"
    ? `mcp-meter stopped the server before it answered${foreign}`
    : `its answer is not valid: ${describeFirstLine(error, redact)}${foreign}`;
}

export type UnreadableAnswer = {
  readonly size: number;
  readonly cause: "too_long" | "too_deep" | "unanswered" | "oversized" | IgnoreCause;
};

export function describeUnreadable({ size, cause }: UnreadableAnswer, method: string): string {
  const max = lineObservedBytesMax / 1024 / 1024;
  switch (cause) {
    case "too_long":
      return `its answer to ${method} has ${formatCount(size)} bytes, more than the ${max} MiB that mcp-meter reads`;
    case "too_deep":
      return `its answer to ${method} cannot be read, because it is nested too deeply or has too many parts`;
    case "unanswered":
      return `its answer to ${method} ended without a result`;
    case "oversized":
      return `its answer to ${method} is larger than ${answerBytesMax / 1024 / 1024} MiB`;
    default:
      return `its answer to ${method} ${ignoreFaults[cause]}, so clients ignore it`;
  }
}

export function describeTimeout(timeoutMs: number): string {
  return `no answer within ${formatSeconds(timeoutMs)}`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

export function isTimeout(error: unknown): boolean {
  return readSdkErrorCode(error) === "REQUEST_TIMEOUT";
}

function describeForeignLines(lines: number | string, isRemote: boolean): string {
  const [plural, verb] = lines === 1 ? ["", "is"] : ["s", "are"];
  return isRemote
    ? `sent ${lines} event${plural} that ${verb} not JSON-RPC`
    : `wrote ${lines} line${plural} to stdout that ${verb} not JSON-RPC`;
}

export function describeFirstLine(error: unknown, redact: Redactor = keepText): string {
  const message = redact(error instanceof Error ? error.message : String(error));
  const text = shortenToFirstIssue(message);
  return escapeUnsafe((text.split("\n", 1)[0] ?? "").slice(0, failureCharactersMax));
}

// The SDK writes all validation issues into its message, as JSON on several lines.
function shortenToFirstIssue(text: string): string {
  const start = text.indexOf("[\n");
  if (start < 0 || text.length - start > issuesCharactersMax) return text;
  return attempt(() => {
    const [issue]: unknown[] = Array.from(JSON.parse(text.slice(start)));
    const message = readString(issue, "message");
    const path = readArray(issue, "path").map(String).join(".");
    return message === undefined ? text : `${text.slice(0, start)}${path}: ${message}`;
  }, text);
}

export function readSdkErrorCode(error: unknown): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : undefined;
}

type IgnoreCause = "byte_order_mark" | "batch" | "not_json" | "meta" | "not_response";

const byteOrderMark = [0xef, 0xbb, 0xbf];

// Reads the bytes, because TextDecoder strips a byte order mark. Clients keep it, and cannot parse the line.
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, at) => bytes[at] === byte);
}

export function findIgnoreCause(message: unknown): IgnoreCause | undefined {
  if (!isObject(message) || "method" in message) return undefined;
  const meta = readMember(message, "result", "_meta");
  if (meta !== undefined && !isObject(meta)) return "meta";
  const { result } = message;
  // Leaves out the members of `_meta`, because `findMetaFault` judges them by the protocol version.
  const judgedMessage =
    meta !== undefined && isObject(result)
      ? { ...message, result: { ...result, _meta: {} } }
      : message;
  return isAcceptedEverywhere(judgedMessage) ? undefined : "not_response";
}

const ignoreFaults: { readonly [cause in IgnoreCause]: string } = {
  byte_order_mark: "begins with a byte order mark",
  batch: "is in a batch",
  not_json: "has NaN or Infinity, which are not JSON",
  meta: "has a _meta that is not an object",
  not_response: "is not a JSON-RPC 2.0 response",
};
