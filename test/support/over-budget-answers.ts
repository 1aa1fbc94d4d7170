import { brotliCompressSync, gzipSync } from "node:zlib";
import type { RawAnswer, RawPart, RawRequest } from "./raw-http-server.ts";

/** Two thousand tokens, of which no client may get more than a few. */
export const forbidden = "word ".repeat(2_000);

/** Over 8 MiB, which is not read, below the 10 MB at which clients give up. */
const padding = "x".repeat(8_500_000);

export type Form = (asked: Asked) => RawAnswer;

export type Asked = { readonly id: number | string; readonly request: RawRequest };

export function head(status: string, ...headers: readonly string[]): string {
  return ["HTTP/1.1 " + status, ...headers, "Connection: close", "", ""].join("\r\n");
}

export const jsonHead = head("200 OK", "Content-Type: application/json");
export const eventsHead = head("200 OK", "Content-Type: text/event-stream");

export function whole(...parts: readonly RawPart[]): RawAnswer {
  return { parts };
}

export function answerTo(id: number | string, text: string = forbidden): string {
  const result = { resultType: "complete", content: [{ type: "text", text }] };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function errorTo(id: number | string, text: string = forbidden): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: text } });
}

export function event(text: string, end: string = "\n", fields: readonly string[] = []): string {
  return [...fields, `data: ${text}`, "", ""].join(end);
}

const inEvents = (...texts: readonly RawPart[]): RawAnswer => whole(eventsHead, ...texts);
const inJson = (...texts: readonly RawPart[]): RawAnswer => whole(jsonHead, ...texts);
const typed = (type: string, body: RawPart): RawAnswer =>
  whole(head("200 OK", `Content-Type: ${type}`), body);
const coded = (coding: string, body: RawPart): RawAnswer =>
  whole(head("200 OK", "Content-Type: application/json", `Content-Encoding: ${coding}`), body);
const rejected = (status: string, body: string, ...headers: readonly string[]): RawAnswer =>
  whole(head(status, "Content-Type: text/plain", ...headers), body);

function* split(text: string, bytes: number): Generator<RawPart, void, undefined> {
  for (let at = 0; at < text.length; at += bytes) {
    yield text.slice(at, at + bytes);
    yield new Promise((resolve) => setImmediate(resolve));
  }
}

const lines = (text: string): string => text.replaceAll(",", ",\ndata: ");

const readForms: Readonly<Record<string, Form>> = {
  json: ({ id }) => inJson(answerTo(id)),
  "json-after-mark": ({ id }) => inJson(`\uFEFF${answerTo(id)}`),
  "json-in-array": ({ id }) => inJson(`[${answerTo(id)}]`),
  "json-after-others": ({ id }) =>
    inJson(`[{"jsonrpc":"2.0","method":"notifications/x"},${answerTo(id)}]`),
  "json-in-long-array": ({ id }) =>
    inJson(`[${'{"jsonrpc":"2.0","method":"notifications/x"},'.repeat(12_000)}${answerTo(id)}]`),
  "json-of-9-mb": ({ id }) => inJson(`{"x":"${padding}",${answerTo(id).slice(1)}`),
  "json-id-as-text": ({ id }) => inJson(answerTo(String(id))),
  "json-error": ({ id }) => inJson(errorTo(id)),
  "json-error-and-result": ({ id }) =>
    inJson(`{"error":{"code":1,"message":"x"},${answerTo(id).slice(1)}`),
  "json-with-odd-member": ({ id }) => inJson(`{"${forbidden}":1,${answerTo(id, "x").slice(1)}`),
  "json-with-odd-member-and-deep-brackets": ({ id }) => {
    const brackets = "[".repeat(1_000) + "]".repeat(1_000);
    const answer = answerTo(id, "x").slice(1);
    return inJson(`{"${forbidden}":1,${answer.slice(0, -2)},"deep":${brackets}}}`);
  },
  "json-of-no-message": () => inJson(`{"${forbidden}":1}`),
  "json-of-text": () => inJson(JSON.stringify(forbidden)),
  "json-and-rubbish": ({ id }) => inJson(`${answerTo(id)}: ${forbidden}`),
  "json-in-bytes-that-are-no-text": ({ id }) =>
    inJson(answerTo(id).slice(0, -20), Uint8Array.of(0xff, 0xc3), answerTo(id).slice(-20)),
  "json-cut-off": ({ id }) => ({
    parts: [
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n",
      answerTo(id),
    ],
  }),
  "json-gzip": ({ id }) => coded("gzip", gzipSync(answerTo(id))),
  "json-br": ({ id }) => coded("br", brotliCompressSync(answerTo(id))),
  "json-unknown-coding": ({ id }) => coded("word", answerTo(id)),
  "json-two-codings": ({ id }) => coded("gzip, br", brotliCompressSync(gzipSync(answerTo(id)))),
  "json-identity-coding": ({ id }) => coded("identity", answerTo(id)),
  events: ({ id }) => inEvents(event(answerTo(id))),
  "events-with-cr": ({ id }) => inEvents(event(answerTo(id), "\r"), ": end\r"),
  "events-with-crlf": ({ id }) => inEvents(event(answerTo(id), "\r\n")),
  "events-in-many-lines": ({ id }) => inEvents(event(lines(answerTo(id)))),
  "events-after-mark": ({ id }) => inEvents(`\uFEFF${event(answerTo(id))}`),
  "events-after-a-mark-in-latin-1": ({ id }) =>
    inEvents(`\u00EF\u00BB\u00BF${event(answerTo(id))}`),
  "events-after-two-marks": ({ id }) => inEvents(`\uFEFF\u00EF\u00BB\u00BF${event(answerTo(id))}`),
  "events-in-pieces": ({ id }) => ({
    parts: (function* () {
      yield eventsHead;
      yield* split(event(answerTo(id, forbidden.slice(0, 2_000)), "\r\n"), 7);
    })(),
  }),
  "events-with-a-type": ({ id }) => inEvents(event(answerTo(id), "\n", ["event: message"])),
  "events-with-an-empty-type": ({ id }) => inEvents(event(answerTo(id), "\n", ["event:"])),
  "events-with-two-types": ({ id }) =>
    inEvents(event(answerTo(id), "\n", ["event: x", "event: message"])),
  "events-with-ids": ({ id }) => inEvents(event(answerTo(id), "\n", [`id: ${id}`])),
  "events-with-a-retry": ({ id }) => inEvents(event(answerTo(id), "\n", ["retry: 1", ": x"])),
  "events-without-a-blank": ({ id }) => inEvents(`data:${answerTo(id)}\n\n`),
  "events-with-data-alone": ({ id }) => inEvents(`data\ndata: ${answerTo(id)}\ndata\n\n`),
  "events-of-9-mb": ({ id }) => inEvents(event(`{"x":"${padding}",${answerTo(id).slice(1)}`)),
  "events-with-an-array": ({ id }) => inEvents(event(`[${answerTo(id)}]`)),
  "events-never-completed": ({ id }) => inEvents(`data: ${answerTo(id)}\n`),
  "events-gzip": ({ id }) =>
    whole(
      head("200 OK", "Content-Type: text/event-stream", "Content-Encoding: gzip"),
      gzipSync(event(answerTo(id))),
    ),
  "events-error": ({ id }) => inEvents(event(errorTo(id))),
  "events-id-as-text": ({ id }) => inEvents(event(answerTo(String(id)))),
  "events-twice": ({ id }) => inEvents(event(answerTo(id, "x")), event(answerTo(id))),
  "events-for-another-first": ({ id }) =>
    inEvents(event(answerTo(`${id}000`)), event(answerTo(id))),
  "events-with-an-odd-member": ({ id }) =>
    inEvents(event(`{"${forbidden}":1,${answerTo(id, "x").slice(1)}`)),
};

const headForms: Readonly<Record<string, Form>> = {
  "type-in-capitals": ({ id }) => typed("Application/JSON", answerTo(id)),
  "type-with-parameters": ({ id }) =>
    typed('application/json; a="text/event-stream"', answerTo(id)),
  "type-of-events-with-parameters": ({ id }) =>
    typed('text/event-stream; a="application/json"', event(answerTo(id))),
  "type-of-json-but-events": ({ id }) => typed("application/json", event(answerTo(id))),
  "type-of-events-but-json": ({ id }) => typed("text/event-stream", answerTo(id)),
  "type-of-text": ({ id }) => typed("text/plain", answerTo(id)),
  "type-of-a-long-name": ({ id }) => typed(`text/${forbidden.slice(0, 6_000)}`, answerTo(id)),
  "type-that-begins-like-json": ({ id }) => typed("application/jsonx", answerTo(id)),
  "two-types": ({ id }) =>
    whole(
      head("200 OK", "Content-Type: text/event-stream", "Content-Type: application/json"),
      answerTo(id),
    ),
  "no-type": ({ id }) => whole(head("200 OK"), answerTo(id)),
  "status-201": ({ id }) =>
    whole(head("201 Created", "Content-Type: application/json"), answerTo(id)),
  "status-205": ({ id }) =>
    whole(head("205 Reset", "Content-Type: application/json"), answerTo(id)),
  "status-300": () => rejected("300 Choices", forbidden),
  "status-300-of-json": () =>
    whole(head("300 Choices", "Content-Type: application/json"), `{"x":"${forbidden}"}`),
  "status-304": () => rejected("304 Same", forbidden),
  "status-305-nowhere": () => rejected("305 Proxy", forbidden, "Location: http://["),
  "status-400": () => rejected("400 Bad", forbidden),
  "status-400-of-json": ({ id }) =>
    whole(head("400 Bad", "Content-Type: application/json"), errorTo(id)),
  "status-400-with-an-odd-member": ({ id }) =>
    whole(
      head("400 Bad", "Content-Type: application/json"),
      `{"x":"${forbidden}",${errorTo(id, "x").slice(1)}`,
    ),
  "status-400-with-data": ({ id }) =>
    whole(
      head("400 Bad", "Content-Type: application/json"),
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        error: { code: 1, message: "x", data: forbidden },
      }),
    ),
  "status-401": () => rejected("401 Who", forbidden, "WWW-Authenticate: Bearer"),
  "status-403-of-scope": () =>
    rejected(
      "403 No",
      "x",
      `WWW-Authenticate: Bearer error="insufficient_scope", scope="${forbidden.slice(0, 6_000).trim()}"`,
    ),
  "status-404": () => rejected("404 Gone", forbidden),
  "status-405": () => rejected("405 Not", forbidden),
  "status-500": () => rejected("500 Broken", forbidden),
  "status-500-of-events": ({ id }) =>
    whole(head("500 Broken", "Content-Type: text/event-stream"), event(answerTo(id))),
  "status-500-of-9-mb": () => rejected("500 Broken", padding + forbidden),
  "status-500-gzip": () =>
    whole(
      head("500 Broken", "Content-Type: text/plain", "Content-Encoding: gzip"),
      gzipSync(forbidden),
    ),
  "status-600": ({ id }) => whole(head("600 Odd", "Content-Type: application/json"), answerTo(id)),
  "status-999": ({ id }) => whole(head("999 Odd", "Content-Type: text/plain"), answerTo(id)),
  "status-with-long-words": ({ id }) =>
    whole(head(`500 ${forbidden.slice(0, 6_000)}`, "Content-Type: text/plain"), `x${id}`),
  "status-202-with-a-body": ({ id }) =>
    whole(head("202 Accepted", "Content-Type: application/json"), answerTo(id)),
  "redirect-elsewhere": () => rejected("307 There", forbidden, "Location: http://127.0.0.2:1/x"),
  "redirect-by-get": () => rejected("303 See", forbidden, "Location: /mcp/get"),
  "redirect-by-get-of-long-words": () =>
    rejected("303 See", "x", `Location: /${"word-word-".repeat(600)}`),
};

export const forms: Readonly<Record<string, Form>> = { ...readForms, ...headForms };
