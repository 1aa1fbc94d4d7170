import { isObject, type JsonObject, textAt } from "#wire/json.ts";
import type { MemberChanges } from "./wrapping/conversion.ts";
import { hasPlaceholder } from "./placeholders.ts";
import type { PassingMembers, RemoteFault, RemoteRule } from "./remote-rules.ts";

export type RemoteHeaders = Pick<MemberChanges, "renamed" | "inner" | "replaced"> & {
  readonly lines: readonly string[];
  readonly members: readonly string[];
};

/**
 * The object of headers becomes that of variables, one for each header, which an argument names as mcp-remote reads
 * it. A client that fills `${…}` in arguments leaves names alone that its environment lacks.
 */
export function remoteHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const own = statedHeaders(entry, rule);
  if ("refusal" in own) return own;
  const passed = passedHeaders(entry, rule.passing);
  if ("refusal" in passed) return passed;
  return {
    renamed: own.renamed,
    inner: own.inner,
    replaced: passed.replaced,
    lines: [...passed.lines, ...own.lines],
    members: [...own.members, ...passed.members],
  };
}

function statedHeaders(entry: JsonObject, rule: RemoteRule): RemoteHeaders | RemoteFault {
  const { headers: member, env } = rule;
  const nothing = { renamed: [], inner: [], replaced: [], lines: [], members: [env] };
  if (member === undefined || entry[member] === undefined) return nothing;
  const headers = entry[member];
  if (!isObject(headers)) return { refusal: "option", subject: member };
  const pairs = Object.entries(headers);
  const fault = pairs.map((pair) => headerFault(pair, rule)).find((one) => one !== undefined);
  if (fault !== undefined) return fault;
  const isFree = entry[env] === undefined;
  const isSwapped = rule.ignoresOthers && isEmpty(entry[env]);
  if (pairs.length === 0 && rule.ignoresOthers) return { ...nothing, members: [member, env] };
  if (!isFree && !isSwapped) return { refusal: "option", subject: env };
  const inner = pairs.map(([name], at) => ({ of: member, from: name, to: variableAt(at) }));
  const renamed = [{ from: member, to: env }, ...(isFree ? [] : [{ from: env, to: member }])];
  const lines = inner.map(({ from, to }) => `${from}:\${${to}}`);
  return { renamed, inner, replaced: [], lines, members: [member, env] };
}

/** Has no word for which a client would withhold it, such as TOKEN or AUTH. */
function variableAt(at: number): string {
  return `MCP_HEADER_${at + 1}`;
}

function headerFault(
  [name, value]: readonly [string, unknown],
  { fillsAlike }: RemoteRule,
): RemoteFault | undefined {
  // mcp-remote leaves others out.
  const isUsual = isHeaderName(name) && typeof value === "string";
  if (!isUsual) return { refusal: "header", subject: name };
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

function passedHeaders(
  entry: JsonObject,
  passing: PassingMembers | undefined,
): RemoteHeaders | RemoteFault {
  if (passing === undefined) return nothingPassed;
  const { bearer, headers } = passing;
  const token = textAt(entry, bearer);
  const stated = entry[headers];
  // One member comes in the place of one.
  if (token !== undefined && stated !== undefined) return { refusal: "option", subject: headers };
  if (token !== undefined)
    return passedFrom(bearer, [["Authorization", token]], passing, "Bearer ");
  if (stated === undefined) return nothingPassed;
  return passedFrom(headers, Object.entries(isObject(stated) ? stated : {}), passing);
}

function passedFrom(
  from: string,
  named: readonly (readonly [header: string, variable: unknown])[],
  { variables }: PassingMembers,
  before: string = "",
): RemoteHeaders | RemoteFault {
  const wrong = named.find(([name, variable]) => !isHeaderName(name) || !isVariable(variable));
  if (wrong || named.length === 0) return { refusal: "header", subject: wrong?.[0] ?? from };
  const value = named.map(([, variable]) => String(variable));
  return {
    ...nothingPassed,
    replaced: [{ from, to: [{ name: variables, value }] }],
    lines: named.map(([name, variable]) => `${name}:${before}\${${String(variable)}}`),
    members: [from],
  };
}

/** mcp-remote keeps it. JavaScript objects have no own `__proto__`. */
function isHeaderName(name: string): boolean {
  return /^[\w-]+$/.test(name) && name !== "__proto__";
}

function isVariable(value: unknown): boolean {
  return typeof value === "string" && /^[A-Za-z_]\w*$/.test(value);
}
