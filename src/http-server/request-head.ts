import { requestBytesMax, requestLinesMax } from "#limits/http.ts";
import { isPersistent, lengthOf } from "#http1/framing-fields.ts";
import { readHead } from "#http1/head-lines.ts";
import { RequestFault } from "./request-fault.ts";

/** Where the body of a request ends: after that many bytes, or by its chunks. */
type RequestFraming = { readonly bytes: number } | "chunked";

/** The head of a request in HTTP/1.0 or 1.1. */
export type RequestHead = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly framing: RequestFraming;
  /** 0 or 1. */
  readonly minorVersion: number;
  /** True where the connection may carry another request. */
  readonly persists: boolean;
  /** True where the client waits for a word before it sends the body. */
  readonly awaitsWord: boolean;
};

const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP\/1\.([01])$/;
/** The part of an address before its path, in the form that is meant for proxies. */
const authority = /^https?:\/\/[^/?#]*/i;
/** Any character beyond ASCII. */
const beyondAscii = /[\x80-\xff]/;

/** Reads a complete head. Throws RequestFault or HttpFault for one that is not valid, or that two programs could read in two ways. */
export function parseRequestHead(bytes: Uint8Array): RequestHead {
  const { start, headers } = readHead(bytes, { linesMax: requestLinesMax, mayFold: false });
  const [, method, target, minor] = requestLine.exec(start) ?? [];
  if (method === undefined || target === undefined) throw new RequestFault(400);
  const minorVersion = Number(minor);
  const framing = requestFraming(minorVersion, headers);
  return {
    method,
    url: urlOf(target, headers.get("host")),
    headers,
    framing,
    minorVersion,
    persists: isPersistent(minorVersion, headers),
    awaitsWord: minorVersion === 1 && /^100-continue$/i.test(headers.get("expect") ?? ""),
  };
}

/** The framing of a body (RFC 9112 6.3). */
function requestFraming(minorVersion: number, headers: Headers): RequestFraming {
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const length = headers.get("content-length");
  if (coding === undefined) {
    const bytes = length === null ? 0 : lengthOf(length);
    if (bytes > requestBytesMax) throw new RequestFault(413);
    return { bytes };
  }
  // Programs differ in which of the two counts.
  if (length !== null || minorVersion === 0) throw new RequestFault(400);
  if (coding !== "chunked") throw new RequestFault(501);
  return "chunked";
}

function urlOf(target: string, host: string | null): URL {
  const path = target.replace(authority, "");
  const ascii = beyondAscii.test(path) ? Buffer.from(path, "latin1").toString() : path;
  if (!/^[/?]/.test(ascii) && path === target) throw new RequestFault(400);
  // A host that is none is for the reader of the request to refuse. Behind an empty one, the path would be read as the host.
  const named = host === null || host === "" ? undefined : URL.parse(`http://${host}${ascii}`);
  const url = named ?? URL.parse(`http://localhost${ascii}`);
  if (!url) throw new RequestFault(400);
  return url;
}
