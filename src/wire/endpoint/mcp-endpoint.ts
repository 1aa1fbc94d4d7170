import { UserError } from "#kit/errors.ts";
import { parseHttpUrl, extractCredentials } from "#kit/text/http-url.ts";
import { secretCharactersMin } from "#kit/text/mask-secrets.ts";

export type McpEndpoint = {
  readonly url: URL;
  readonly shown: string; // for people: without credentials and query
  readonly host: string; // for records: the path may contain a key
  readonly headers: readonly HeaderPair[];
};

export function parseEndpoint(rawUrl: string, headers: readonly HeaderPair[] = []): McpEndpoint {
  const parsed = parseHttpUrl(rawUrl);
  if (!parsed) throw new UserError(endpointSentences.urlMalformed());
  const { url, authorization } = extractCredentials(parsed);
  const basic = authorization === undefined ? [] : [["authorization", authorization] as const];
  return {
    url,
    shown: `${url.origin}${url.pathname}`,
    host: url.host,
    headers: [...basic, ...headers],
  };
}

export const endpointSentences = {
  urlMalformed: () => `--url must be an HTTP URL with a host, such as "https://example.com/mcp"`,
} as const;

export function readMediaType(headers: Headers): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}

export function isEventStream(headers: Headers): boolean {
  return readMediaType(headers) === "text/event-stream";
}

export type HeaderPair = readonly [name: string, value: string];

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^`|~\w]+$/.test(text);
}

// These control the connection: a user's values would break it or be ignored.
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function isConnectionHeader(name: string): boolean {
  return connectionHeaders.has(name.toLowerCase());
}

export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Omits short values, which also occur in texts by chance. */
export function listEndpointSecrets({ url, headers }: McpEndpoint): ReadonlyMap<string, string> {
  const found = [
    ...headers.flatMap(([name, value]) => listHeaderSecrets(name, value)),
    ...[...url.searchParams].map(([name, value]) => [name, value] as const),
  ];
  return new Map(
    found
      .filter(([, value]) => value.length >= secretCharactersMin)
      // A map holds one value per name. The second value of a name is stored under the name plus `_2`.
      .map(([name, value], at, secrets) => {
        const earlier = secrets.slice(0, at).filter(([earlierName]) => earlierName === name).length;
        return [earlier === 0 ? name : `${name}_${earlier + 1}`, value];
      }),
  );
}

function listHeaderSecrets(name: string, value: string): readonly (readonly [string, string])[] {
  const words = value.trim().split(/\s+/);
  const secret = words.at(-1) ?? "";
  const isBasic = words.length === 2 && words[0]?.toLowerCase() === "basic";
  const [, password = ""] = isBasic
    ? splitCredentials(Buffer.from(secret, "base64").toString())
    : [];
  return [
    [name, value.trim()],
    ...(words.length > 1 ? [[name, secret] as const] : []),
    ...(password === "" ? [] : [["password", password] as const]),
  ];
}

function splitCredentials(text: string): readonly [string, string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
