import { type JsonObject, readString, isObject } from "#wire/json.ts";
import { makeCommandMembers, type MemberChanges } from "./wrapping/wrap-entries.ts";
import type { EntryForm } from "./configured-entries.ts";
import { maskSecrets } from "#kit/text/secrets.ts";
import { hasPlaceholder } from "./launch.ts";
import type { ClientId } from "./ids.ts";

type RemoteTarget = {
  readonly member: string;
  readonly url: string;
  readonly transport: RemoteTransport;
};

export function findRemoteTarget(entry: JsonObject, rule: RemoteRule): RemoteTarget | RemoteFault {
  const [member, defaultTransport] =
    Object.entries(rule.urls).find(([name]) => readString(entry, name) !== undefined) ?? [];
  if (member === undefined || defaultTransport === undefined) return { refusal: "url" };
  const transport = readTransport(entry, rule, defaultTransport);
  if (transport === undefined) return { refusal: "transport" };
  return { member, url: readString(entry, member) ?? "", transport };
}

const transports: Readonly<{ [word: string]: RemoteTransport }> = {
  http: "http",
  "streamable-http": "http",
  streamable_http: "http",
  streamableHttp: "http",
  remote: "http",
  sse: "sse",
};

function readTransport(
  entry: JsonObject,
  { kind }: RemoteRule,
  defaultTransport: RemoteTransport,
): RemoteTransport | undefined {
  if (entry[kind] === undefined) return defaultTransport;
  const value = readString(entry, kind) ?? "";
  return Object.hasOwn(transports, value) ? transports[value] : undefined;
}

export function findUrlFault(url: string): UrlFault | undefined {
  if (hasPlaceholder(url)) return "url_placeholder";
  const parsed = URL.parse(url);
  // URL.parse repairs some characters that mcp-remote and a shell would not.
  const isUsual = /^https?:\/\/[^\s"'`<>\\^|]+$/i.test(url);
  if (parsed === null || !isUsual) return "url";
  const isPublic = parsed.username === "" && parsed.password === "" && maskSecrets(url) === url;
  const segments = [...parsed.pathname.split("/"), ...parsed.searchParams.values()];
  return isPublic && !segments.some(mayBeSecret) ? undefined : "url_secret";
}

function mayBeSecret(segment: string): boolean {
  return /^[\w~+=-]{20,}$/.test(segment) && /\d/.test(segment) && /[a-z]/i.test(segment);
}

// Pinned, because the command line of this version is known.
export const mcpRemote = "mcp-remote@0.15.1";

type RemoteProgram = {
  readonly changes: MemberChanges;
  readonly words: readonly string[];
};

// Header values stay in the file, as variables that the arguments of mcp-remote name.
export function buildRemoteProgram(
  entry: JsonObject,
  rule: RemoteRule,
  { front, form }: { readonly front: readonly string[]; readonly form: EntryForm },
): RemoteProgram | RemoteFault {
  const target = findRemoteTarget(entry, rule);
  if ("refusal" in target) return target;
  const { member, url, transport } = target;
  const headers = convertHeaders(entry, rule);
  if ("refusal" in headers) return headers;
  const fault = findUrlFault(url);
  if (fault !== undefined) return { refusal: fault };
  const knownMembers = new Set([member, rule.kind, ...headers.members, ...rule.keptMembers]);
  const unknownMember = Object.keys(entry).find((name) => !knownMembers.has(name));
  if (unknownMember !== undefined) return { refusal: "option", subject: unknownMember };
  const words = [
    "npx",
    "-y",
    mcpRemote,
    url,
    ...(transport === "sse" ? ["--transport", "sse-only"] : []),
    ...(isPlainHttp(url) ? ["--allow-http"] : []),
    ...headers.lines.flatMap((line) => ["--header", line]),
  ];
  const { renamed, inner, replaced } = headers;
  const command = { from: member, to: makeCommandMembers(form, [...front, ...words]) };
  const values =
    readString(entry, rule.kind) !== undefined ? [{ of: rule.kind, to: rule.local }] : [];
  return { changes: { renamed, inner, replaced: [command, ...replaced], values }, words };
}

function isPlainHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}

type RemoteHeaders = Pick<MemberChanges, "renamed" | "inner" | "replaced"> & {
  readonly lines: readonly string[];
  readonly members: readonly string[];
};

// A client that fills `${…}` in arguments leaves a name alone that its environment lacks.
export function convertHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const stated = convertStatedHeaders(entry, rule);
  if ("refusal" in stated) return stated;
  const passed = convertPassedHeaders(entry, rule.passing);
  if ("refusal" in passed) return passed;
  return {
    renamed: stated.renamed,
    inner: stated.inner,
    replaced: passed.replaced,
    lines: [...passed.lines, ...stated.lines],
    members: [...stated.members, ...passed.members],
  };
}

function convertStatedHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const { headers: member, env } = rule;
  const noHeaders = { renamed: [], inner: [], replaced: [], lines: [], members: [env] };
  if (member === undefined || entry[member] === undefined) return noHeaders;
  const headers = entry[member];
  if (!isObject(headers)) return { refusal: "option", subject: member };
  const pairs = Object.entries(headers);
  const fault = pairs
    .map((pair) => findHeaderFault(pair, rule))
    .find((found) => found !== undefined);
  if (fault !== undefined) return fault;
  const isEnvAbsent = entry[env] === undefined;
  const canSwapEnv = rule.ignoresExtraMembers && isEmpty(entry[env]);
  if (pairs.length === 0 && rule.ignoresExtraMembers)
    return { ...noHeaders, members: [member, env] };
  if (!isEnvAbsent && !canSwapEnv) return { refusal: "option", subject: env };
  const inner = pairs.map(([name], at) => ({ of: member, from: name, to: nameVariable(at) }));
  const renamed = [{ from: member, to: env }, ...(isEnvAbsent ? [] : [{ from: env, to: member }])];
  const lines = inner.map(({ from, to }) => `${from}:\${${to}}`);
  return { renamed, inner, replaced: [], lines, members: [member, env] };
}

// Avoids words such as TOKEN or AUTH, for which a client would withhold the variable.
function nameVariable(at: number): string {
  return `MCP_HEADER_${at + 1}`;
}

function findHeaderFault(
  [name, value]: readonly [string, unknown],
  { fillsEnvLikeHeaders: fillsAlike }: RemoteRule,
): RemoteFault | undefined {
  const isSupported = isHeaderName(name) && typeof value === "string";
  if (!isSupported) return { refusal: "header", subject: name };
  return !fillsAlike && hasPlaceholder(value)
    ? { refusal: "placeholder", subject: name }
    : undefined;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const nothingPassed: RemoteHeaders = {
  renamed: [],
  inner: [],
  replaced: [],
  lines: [],
  members: [],
};

function convertPassedHeaders(
  entry: JsonObject,
  passing: PassingMembers | undefined,
): RemoteHeaders | RemoteFault {
  if (passing === undefined) return nothingPassed;
  const { bearer, headers } = passing;
  const token = readString(entry, bearer);
  const headerVariables = entry[headers];
  if (token !== undefined && headerVariables !== undefined)
    return { refusal: "option", subject: headers };
  if (token !== undefined)
    return replacePassed(bearer, [["Authorization", token]], passing, "Bearer ");
  if (headerVariables === undefined) return nothingPassed;
  return replacePassed(
    headers,
    Object.entries(isObject(headerVariables) ? headerVariables : {}),
    passing,
  );
}

function replacePassed(
  from: string,
  pairs: readonly (readonly [header: string, variable: unknown])[],
  { variables }: PassingMembers,
  prefix: string = "",
): RemoteHeaders | RemoteFault {
  const invalidPair = pairs.find(
    ([name, variable]) => !isHeaderName(name) || !isVariable(variable),
  );
  if (invalidPair || pairs.length === 0)
    return { refusal: "header", subject: invalidPair?.[0] ?? from };
  const value = pairs.map(([, variable]) => String(variable));
  return {
    ...nothingPassed,
    replaced: [{ from, to: [{ name: variables, value }] }],
    lines: pairs.map(([name, variable]) => `${name}:${prefix}\${${String(variable)}}`),
    members: [from],
  };
}

// True if mcp-remote sends the name unchanged; its JavaScript objects cannot hold `__proto__`.
function isHeaderName(name: string): boolean {
  return /^[\w-]+$/.test(name) && name !== "__proto__";
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}

type RemoteTransport = "http" | "sse";

export type RemoteRule = {
  readonly urls: Readonly<{ [member: string]: RemoteTransport }>;
  readonly kind: string;
  readonly local: string;
  readonly headers: string | undefined;
  readonly env: string;
  readonly keptMembers: readonly string[];
  readonly passing: PassingMembers | undefined;
  readonly fillsEnvLikeHeaders: boolean;
  readonly ignoresExtraMembers: boolean;
};

type PassingMembers = {
  readonly bearer: string;
  readonly headers: string;
  readonly variables: string;
};

export type RemoteFault = {
  readonly refusal: "option" | "placeholder" | "header" | "transport" | UrlFault;
  readonly subject?: string;
};

type UrlFault = "url" | "url_placeholder" | "url_secret";

const keptByMost = [
  "name",
  "description",
  "enabled",
  "disabled",
  "timeout",
  "trust",
  "tools",
  "includeTools",
  "excludeTools",
  "alwaysAllow",
  "autoApprove",
  "disabledTools",
  "enabledTools",
  "alwaysLoad",
];

const common: RemoteRule = {
  urls: { url: "http" },
  kind: "type",
  local: "stdio",
  headers: "headers",
  env: "env",
  keptMembers: [],
  passing: undefined,
  fillsEnvLikeHeaders: false,
  ignoresExtraMembers: false,
};

// `fillsEnvLikeHeaders`: from the packages of Gemini CLI and Qwen Code, and the documentation of
// the others; OpenCode and Kilo Code fill the whole file. Not Claude Code: it withholds some
// variables from headers that it fills elsewhere.
const rules: { readonly [id in ClientId]?: Partial<RemoteRule> | "none" } = {
  // Its settings file has no remote servers.
  "claude-desktop": "none",
  codex: {
    headers: "http_headers",
    passing: {
      bearer: "bearer_token_env_var",
      headers: "env_http_headers",
      variables: "env_vars",
    },
    keptMembers: [
      "required",
      "startup_timeout_sec",
      "startup_timeout_ms",
      "tool_timeout_sec",
      "enabled_tools",
      "disabled_tools",
      "default_tools_approval_mode",
      "supports_parallel_tool_calls",
    ],
  },
  "vs-code": { keptMembers: ["gallery", "version"], fillsEnvLikeHeaders: true },
  cursor: { fillsEnvLikeHeaders: true },
  "gemini-cli": { urls: { httpUrl: "http", url: "http" }, fillsEnvLikeHeaders: true },
  opencode: { local: "local", env: "environment", fillsEnvLikeHeaders: true },
  "qwen-code": { urls: { httpUrl: "http", url: "sse" }, fillsEnvLikeHeaders: true },
  goose: {
    urls: { uri: "http" },
    env: "envs",
    keptMembers: ["display_name", "bundled", "available_tools", "env_keys"],
    ignoresExtraMembers: true,
  },
  zed: { keptMembers: ["source"] },
  windsurf: { urls: { serverUrl: "http", url: "http" }, fillsEnvLikeHeaders: true },
  "roo-code": { keptMembers: ["watchPaths"], fillsEnvLikeHeaders: true },
  "kilo-code": { local: "local", env: "environment", fillsEnvLikeHeaders: true },
  // Its headers are in `requestOptions`.
  continue: { headers: undefined },
  antigravity: { urls: { serverUrl: "http", url: "http" } },
  "grok-build": { keptMembers: ["startup_timeout_sec", "tool_timeout_sec"] },
  kimi: { kind: "transport", keptMembers: ["startupTimeoutMs", "toolTimeoutMs"] },
  // Its headers are in `requestInit`.
  "copilot-jetbrains": { headers: undefined },
  pi: { keptMembers: ["requestTimeoutMs"] },
  librechat: {
    keptMembers: ["title", "iconPath", "chatMenu", "startup", "initTimeout", "serverInstructions"],
  },
};

export function findRemoteRule(id: ClientId): RemoteRule | undefined {
  const rule = rules[id];
  if (rule === "none") return undefined;
  return { ...common, ...rule, keptMembers: [...keptByMost, ...(rule?.keptMembers ?? [])] };
}
