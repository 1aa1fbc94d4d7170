import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { type JsonObject, textAt } from "#wire/json.ts";
import { hasPlaceholder } from "./placeholders.ts";
import type { RemoteFault, RemoteRule, RemoteTransport, UrlFault } from "./remote-rules.ts";

export type RemoteTarget = {
  readonly member: string;
  readonly url: string;
  readonly transport: RemoteTransport;
};

export function remoteTarget(entry: JsonObject, rule: RemoteRule): RemoteTarget | RemoteFault {
  const [member, usual] =
    Object.entries(rule.urls).find(([name]) => textAt(entry, name) !== undefined) ?? [];
  if (member === undefined || usual === undefined) return { refusal: "url" };
  const transport = transportIn(entry, rule, usual);
  if (transport === undefined) return { refusal: "transport" };
  return { member, url: textAt(entry, member) ?? "", transport };
}

const transports: Readonly<{ [word: string]: RemoteTransport }> = {
  http: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamableHttp: "http",
  remote: "http",
  sse: "sse",
};

function transportIn(
  entry: JsonObject,
  { kind }: RemoteRule,
  usual: RemoteTransport,
): RemoteTransport | undefined {
  if (entry[kind] === undefined) return usual;
  const word = textAt(entry, kind) ?? "";
  return Object.hasOwn(transports, word) ? transports[word] : undefined;
}

export function urlFault(url: string): UrlFault | undefined {
  if (hasPlaceholder(url)) return "url_placeholder";
  const parsed = URL.parse(url);
  // The parser would repair some characters, which mcp-remote and a shell would not.
  const isUsual = /^https?:\/\/[^\s"'`<>\\^|]+$/i.test(url);
  if (parsed === null || !isUsual) return "url";
  const isOpen = parsed.username === "" && parsed.password === "" && maskSecrets(url) === url;
  const parts = [...parsed.pathname.split("/"), ...parsed.searchParams.values()];
  return isOpen && !parts.some(mayBeSecret) ? undefined : "url_secret";
}

function mayBeSecret(part: string): boolean {
  return /^[\w~+=-]{20,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part);
}
