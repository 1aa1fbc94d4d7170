import { answerLinesMax } from "#limits/http.ts";
import { readHead } from "#http1/head-lines.ts";
import { malformed } from "#http1/http-fault.ts";
import type { AnswerHead } from "./answer.ts";

/** The head of an answer in HTTP/1.0 or 1.1. */
export type ParsedHead = AnswerHead & {
  readonly statusText: string;
  /** 0 or 1. */
  readonly minorVersion: number;
};

const statusLine = /^HTTP\/1\.([01]) ([0-9]{3})(?: (.*))?$/;

/** Reads a complete head. Throws HttpFault. */
export function parseHead(bytes: Uint8Array): ParsedHead {
  const { start, headers } = readHead(bytes, { linesMax: answerLinesMax, mayFold: true });
  const [, minor, status, statusText = ""] = statusLine.exec(start) ?? [];
  if (minor === undefined || status === undefined) throw malformed();
  return { minorVersion: Number(minor), status: Number(status), statusText, headers };
}
