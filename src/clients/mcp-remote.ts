import { type JsonObject, readString, isObject } from "#wire/json.ts";
import type { EntryForm } from "./configured-entries.ts";
import { hasPlaceholder } from "./launch-rules.ts";
import { mayContainSecret } from "#kit/text/mask-secrets.ts";
import type { ClientId } from "./ids.ts";
import { makeCommandMembers, type MemberChanges } from "./wrapping/convert-members.ts";

type RemoteTarget = {
  readonly member: string; // the name of the member that holds the URL
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
  { transportMember }: RemoteRule,
  defaultTransport: RemoteTransport,
): RemoteTransport | undefined {
  if (entry[transportMember] === undefined) return defaultTransport;
  const value = readString(entry, transportMember) ?? "";
  return Object.hasOwn(transports, value) ? transports[value] : undefined;
}

export function findUrlFault(url: string): UrlFault | undefined {
  if (hasPlaceholder(url)) return "url_placeholder";
  const parsed = URL.parse(url);
  // URL.parse accepts quotes, backslashes and pipes in paths, but a shell would interpret them.
  const isPlain = /^https?:\/\/[^\s"'`<>\\^|]+$/i.test(url);
  if (parsed === null || !isPlain) return "url";
  return mayContainSecret(parsed) ? "url_secret" : undefined;
}

// The version is pinned, because another version may take other arguments.
export const mcpRemote = "mcp-remote@0.15.1";

type RemoteProgram = {
  readonly changes: MemberChanges;
  readonly words: readonly string[];
};

// The command line has no header values, only the names of the environment variables that hold them.
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
  const knownMembers = new Set([
    member,
    rule.transportMember,
    ...headers.handledMembers,
    ...rule.keptMembers,
  ]);
  const unknownMember = Object.keys(entry).find((name) => !knownMembers.has(name));
  if (unknownMember !== undefined) return { refusal: "option", subject: unknownMember };
  const words = [
    "npx",
    "-y",
    mcpRemote,
    url,
    ...(transport === "sse" ? ["--transport", "sse-only"] : []),
    ...(needsAllowHttp(url) ? ["--allow-http"] : []),
    ...headers.lines.flatMap((line) => ["--header", line]),
  ];
  const { renamed, inner, replaced } = headers;
  const command = { from: member, to: makeCommandMembers(form, [...front, ...words]) };
  const values =
    readString(entry, rule.transportMember) === undefined
      ? []
      : [{ of: rule.transportMember, to: rule.stdioTransport }];
  return { changes: { renamed, inner, replaced: [command, ...replaced], values }, words };
}

function needsAllowHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && hostname !== "127.0.0.1";
}

type RemoteHeaders = Pick<MemberChanges, "renamed" | "inner" | "replaced"> & {
  readonly lines: readonly string[];
  readonly handledMembers: readonly string[];
};

export function convertHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const fromValues = convertHeaderValues(entry, rule);
  if ("refusal" in fromValues) return fromValues;
  const fromVariables = convertHeaderVariables(entry, rule.variableMembers);
  if ("refusal" in fromVariables) return fromVariables;
  return {
    renamed: fromValues.renamed,
    inner: fromValues.inner,
    replaced: fromVariables.replaced,
    lines: [...fromVariables.lines, ...fromValues.lines],
    handledMembers: [...fromValues.handledMembers, ...fromVariables.handledMembers],
  };
}

function convertHeaderValues(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const { headersMember: member, envMember: env } = rule;
  if (member === undefined || entry[member] === undefined)
    return { ...noHeaders, handledMembers: [env] };
  const headers = entry[member];
  if (!isObject(headers)) return { refusal: "option", subject: member };
  const pairs = Object.entries(headers);
  const [fault] = pairs.flatMap((pair) => findHeaderFault(pair, rule) ?? []);
  if (fault !== undefined) return fault;
  const isEnvAbsent = entry[env] === undefined;
  // Wrapping renames the headers member to `env`. If there is an empty `env`, the two swap names. Unwrapping undoes it.
  const canSwapEnv = rule.ignoresExtraMembers && isEmpty(entry[env]);
  if (pairs.length === 0 && rule.ignoresExtraMembers)
    return { ...noHeaders, handledMembers: [member, env] };
  if (!isEnvAbsent && !canSwapEnv) return { refusal: "option", subject: env };
  // The variables have numbered names, because some clients do not pass on a variable with TOKEN or AUTH in its name.
  const inner = pairs.map(([name], at) => ({ of: member, from: name, to: `MCP_HEADER_${at + 1}` }));
  const renamed = [{ from: member, to: env }, ...(isEnvAbsent ? [] : [{ from: env, to: member }])];
  // Only mcp-remote fills these `${…}`, because the client's environment does not have the variables.
  const lines = inner.map(({ from, to }) => `${from}:\${${to}}`);
  return { renamed, inner, replaced: [], lines, handledMembers: [member, env] };
}

function findHeaderFault(
  [name, value]: readonly [string, unknown],
  { fillsEnvLikeHeaders }: RemoteRule,
): RemoteFault | undefined {
  if (!canSendHeader(name) || typeof value !== "string")
    return { refusal: "header", subject: name };
  return !fillsEnvLikeHeaders && hasPlaceholder(value)
    ? { refusal: "placeholder", subject: name }
    : undefined;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const noHeaders = { renamed: [], inner: [], replaced: [], lines: [], handledMembers: [] } as const;

function convertHeaderVariables(
  entry: JsonObject,
  variableMembers: VariableMembers | undefined,
): RemoteHeaders | RemoteFault {
  if (variableMembers === undefined) return noHeaders;
  const { bearer, headers } = variableMembers;
  const token = readString(entry, bearer);
  const headerVariables = entry[headers];
  if (token !== undefined && headerVariables !== undefined)
    return { refusal: "option", subject: headers };
  if (token !== undefined)
    return replaceByVariables(bearer, [["Authorization", token]], variableMembers, "Bearer ");
  if (headerVariables === undefined) return noHeaders;
  return replaceByVariables(
    headers,
    Object.entries(isObject(headerVariables) ? headerVariables : {}),
    variableMembers,
  );
}

function replaceByVariables(
  from: string,
  pairs: readonly (readonly [header: string, variable: unknown])[],
  { passedVariables: variables }: VariableMembers,
  prefix: string = "",
): RemoteHeaders | RemoteFault {
  const invalidPair = pairs.find(
    ([name, variable]) => !canSendHeader(name) || !isVariable(variable),
  );
  if (invalidPair || pairs.length === 0)
    return { refusal: "header", subject: invalidPair?.[0] ?? from };
  const value = pairs.map(([, variable]) => String(variable));
  return {
    ...noHeaders,
    replaced: [{ from, to: [{ name: variables, value }] }],
    lines: pairs.map(([name, variable]) => `${name}:${prefix}\${${String(variable)}}`),
    handledMembers: [from],
  };
}

// mcp-remote keeps only header names that pass both tests.
function canSendHeader(name: string): boolean {
  return /^[\w-]+$/.test(name) && name !== "__proto__";
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}

type RemoteTransport = "http" | "sse";

export type RemoteRule = {
  // The members that may hold the URL, each with the transport that applies if the entry names none.
  readonly urls: Readonly<{ [member: string]: RemoteTransport }>;
  readonly transportMember: string;
  // The value of `transportMember` for a server that has a command instead of a URL.
  readonly stdioTransport: string;
  readonly headersMember: string | undefined;
  readonly envMember: string;
  readonly keptMembers: readonly string[];
  readonly variableMembers: VariableMembers | undefined;
  // Whether the client fills placeholders in environment variables as it does in headers.
  readonly fillsEnvLikeHeaders: boolean;
  readonly ignoresExtraMembers: boolean;
};

// Names of the Codex members that hold names of environment variables.
type VariableMembers = {
  readonly bearer: string; // the token's variable
  readonly headers: string; // one variable per header
  readonly passedVariables: string; // the variables that Codex passes to a server
};

export type RemoteFault = {
  readonly refusal: "option" | "placeholder" | "header" | "transport" | UrlFault;
  readonly subject?: string;
};

type UrlFault = "url" | "url_placeholder" | "url_secret";

const commonKeptMembers = [
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
  transportMember: "type",
  stdioTransport: "stdio",
  headersMember: "headers",
  envMember: "env",
  keptMembers: [],
  variableMembers: undefined,
  fillsEnvLikeHeaders: false,
  ignoresExtraMembers: false,
};

// Sources for `fillsEnvLikeHeaders`: the code of Gemini CLI and Qwen Code, and the documentation of the other clients.
// It is false for Claude Code, which fills some variables in `env` but not in headers.
const rules: { readonly [id in ClientId]?: Partial<RemoteRule> | "none" } = {
  // Its settings file has no remote servers.
  "claude-desktop": "none",
  codex: {
    headersMember: "http_headers",
    variableMembers: {
      bearer: "bearer_token_env_var",
      headers: "env_http_headers",
      passedVariables: "env_vars",
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
  opencode: { stdioTransport: "local", envMember: "environment", fillsEnvLikeHeaders: true },
  "qwen-code": { urls: { httpUrl: "http", url: "sse" }, fillsEnvLikeHeaders: true },
  goose: {
    urls: { uri: "http" },
    envMember: "envs",
    keptMembers: ["display_name", "bundled", "available_tools", "env_keys"],
    ignoresExtraMembers: true,
  },
  zed: { keptMembers: ["source"] },
  windsurf: { urls: { serverUrl: "http", url: "http" }, fillsEnvLikeHeaders: true },
  "roo-code": { keptMembers: ["watchPaths"], fillsEnvLikeHeaders: true },
  "kilo-code": { stdioTransport: "local", envMember: "environment", fillsEnvLikeHeaders: true },
  // Its headers are in `requestOptions`.
  continue: { headersMember: undefined },
  antigravity: { urls: { serverUrl: "http", url: "http" } },
  "grok-build": { keptMembers: ["startup_timeout_sec", "tool_timeout_sec"] },
  kimi: { transportMember: "transport", keptMembers: ["startupTimeoutMs", "toolTimeoutMs"] },
  // Its headers are in `requestInit`.
  "copilot-jetbrains": { headersMember: undefined },
  pi: { keptMembers: ["requestTimeoutMs"] },
  librechat: {
    keptMembers: ["title", "iconPath", "chatMenu", "startup", "initTimeout", "serverInstructions"],
  },
};

export function findRemoteRule(id: ClientId): RemoteRule | undefined {
  const rule = rules[id];
  if (rule === "none") return undefined;
  return { ...common, ...rule, keptMembers: [...commonKeptMembers, ...(rule?.keptMembers ?? [])] };
}
