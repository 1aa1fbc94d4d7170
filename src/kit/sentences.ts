import { formatCount } from "./text/numbers.ts";

export const commonSentences = {
  commandNotFound: (command: string) =>
    `Cannot start "${command}": command not found; use a path, or the name of a program on the PATH`,
  commandNotExecutable: (command: string, predicate: string) =>
    `Cannot start "${command}": it ${predicate}`,
  commandFailed: (command: string, reason: string) => `Cannot start "${command}": ${reason}`,
  stdinUnreadable: (reason: string) => `Cannot read stdin: ${describeReason(reason)}`,
  stdoutUnwritable: (reason: string) => `Cannot write to stdout: ${describeReason(reason)}`,
  fileUnreadable: (file: string, reason: string) =>
    `Cannot read "${file}": ${describeReason(reason)}`,
  summaryUnwritable: (file: string, reason: string) =>
    `Cannot write the summary to "${file}": ${describeReason(reason)}`,
  invalidTools: (entries: number) =>
    `The list of tools has ${entries === 1 ? "1 entry that is not a tool" : `${formatCount(entries)} entries that are not tools`}; clients may reject the whole list`,
  reportUnwritable: (file: string, reason: string) =>
    `Cannot write "${file}": ${describeReason(reason)}`,
  internalFailure: (what: string) =>
    `Failed because of a bug in mcp-meter (${what}); report it with the output of "mcp-meter --version"`,
  meteringFailed: (where: string, what: string) =>
    `Metering failed (${where}: ${what}); traffic continues`,
  upstreamUnreachable: (url: string, reason: string) =>
    invalidHttpReasons.has(reason) || reason.startsWith("the status ")
      ? `Cannot read the answer from ${url}: it is not valid HTTP (${reason})`
      : `Cannot reach ${url}: ${describeConnectionError(reason)}`,
  tokenRequired: (url: string) =>
    `The server at ${url} rejects the request as unauthorized; put a token into an environment variable, such as TOKEN, and pass --header-env Authorization=TOKEN`,
} as const;

const untrusted =
  "its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the authority's certificate file";

const reasonClauses: { readonly [code: string]: string } = {
  SQLITE_BUSY: "another process has locked the file",
  SQLITE_CORRUPT: "the file is damaged",
  SQLITE_FULL: "no space left on the disk",
  SQLITE_NOTADB: "the file is damaged",
  SQLITE_READONLY: "the file cannot be written",
  EACCES: "permission denied",
  EADDRINUSE: "another program uses it",
  EADDRNOTAVAIL: "this machine does not have that address",
  EAGAIN: "the reader is too slow",
  EAI_AGAIN: "the host name cannot be resolved right now",
  EBADF: "it is closed",
  EBUSY: "it is in use",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EEXIST: "a file with that name already exists",
  EHOSTUNREACH: "no route to the host",
  EFBIG: "it would exceed the maximum file size",
  EIO: "the device reports an error",
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENETUNREACH: "no route to the host",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "part of the path is not a directory",
  ENOTFOUND: "no host with that name",
  not_judged: "the client left before everything was metered",
  ENXIO: "it is a socket, or a pipe without a reader",
  EPERM: "operation not permitted",
  EPIPE: "the reader has closed the pipe",
  EROFS: "the file system is read-only",
  ETIMEDOUT: "no answer in time",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not use TLS; use http://",
};

const connectionClauses: { readonly [code: string]: string } = {
  ...reasonClauses,
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed before an answer",
  ETIMEDOUT: "the connection timed out",
  EPROTO: "the TLS handshake failed; write http:// for a server without TLS",
  ERR_PROXY_TUNNEL: "the proxy in HTTPS_PROXY or HTTP_PROXY refused to connect to it",
  UnsupportedProxyProtocol:
    "the URL of the proxy in HTTPS_PROXY or HTTP_PROXY must begin with http:// or https://",
};

const invalidHttpReasons: ReadonlySet<string> = new Set([
  "HPE_HEADER_OVERFLOW",
  "InvalidContentLength",
  "InvalidHTTPResponse",
  "Malformed_HTTP_Response",
  "ResponseHeadersTooLarge",
  "UnrequestedUpgrade",
  "UnsupportedTransferEncoding",
]);

function describeConnectionError(reason: string): string {
  return Object.hasOwn(connectionClauses, reason)
    ? `${connectionClauses[reason]} (${reason})`
    : describeReason(reason);
}

export function describeReason(reason: string): string {
  if (Object.hasOwn(reasonClauses, reason)) return reasonClauses[reason] ?? reason;
  if (reason.startsWith("HPE_")) return "the answer is not valid HTTP";
  return reason.startsWith("ERR_SSL_") ? `TLS failed with ${reason}` : reason;
}

export function describeInput(file: string): string {
  return file === "-" ? "Standard input" : `"${file}"`;
}

export function formatSuggestion(nearest?: string): string {
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

export function lowercaseFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

export function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
