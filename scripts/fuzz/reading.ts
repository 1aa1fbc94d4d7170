export type Reading = {
  readonly kind: "request" | "notification" | "answer";
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Json;
  readonly result: Json;
  readonly error: Json;
};

export type Json = unknown;

const decoder = new TextDecoder();

export function splitLines(bytes: Uint8Array): readonly Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const lines: Buffer[] = [];
  for (let from = 0; from < all.length;) {
    const newline = all.indexOf(0x0a, from);
    const end = newline < 0 ? all.length : newline + 1;
    lines.push(all.subarray(from, end));
    from = end;
  }
  return lines;
}

export function readMessages(line: Uint8Array): readonly Reading[] {
  const value = parseLeniently(decoder.decode(line));
  return (Array.isArray(value) ? value : [value]).flatMap(readMessage);
}

export function parseLeniently(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined;
  }
  try {
    return JSON.parse(
      mapOutsideStrings(text, (part) => part.replace(/-?\b(?:NaN|Infinity)\b/g, "null")),
    );
  } catch {
    return undefined;
  }
}

/** Applies `change` outside the JSON's strings. Uses no single pattern, because a string may have millions of characters. */
function mapOutsideStrings(json: string, change: (part: string) => string): string {
  const parts: string[] = [];
  for (let from = 0; from < json.length;) {
    const begin = json.indexOf('"', from);
    if (begin < 0) return [...parts, change(json.slice(from))].join("");
    const end = findStringEnd(json, begin);
    parts.push(change(json.slice(from, begin)), json.slice(begin, end));
    from = end;
  }
  return parts.join("");
}

function findStringEnd(json: string, begin: number): number {
  for (let index = begin + 1; index < json.length; index += 1) {
    if (json[index] === "\\") index += 1;
    else if (json[index] === '"') return index + 1;
  }
  return json.length;
}

export function at(value: Json, ...path: readonly string[]): Json {
  let node = value;
  for (const key of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[key];
  }
  return node;
}

export function listAt(value: Json, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: Json, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

function readMessage(value: Json): readonly Reading[] {
  if (at(value, "jsonrpc") !== "2.0") return [];
  const rawId = at(value, "id") ?? undefined;
  const id = typeof rawId === "string" || typeof rawId === "number" ? rawId : undefined;
  if (id !== rawId) return [];
  const kind = findKind(value, id);
  if (kind === undefined) return [];
  const method = textAt(value, "method") ?? "";
  const [params, result, error] = ["params", "result", "error"].map((name) => at(value, name));
  return [{ kind, id, method, params, result, error }];
}

function findKind(value: Json, id: Reading["id"]): Reading["kind"] | undefined {
  if (textAt(value, "method") !== undefined) return id === undefined ? "notification" : "request";
  const isAnswer = at(value, "result") !== undefined || at(value, "error") !== undefined;
  return isAnswer && id !== undefined ? "answer" : undefined;
}

const readBytesMax = 8 * 1024 * 1024;
const readLevelsMax = 256;

export function isBeyondReading(line: Uint8Array): boolean {
  if (line.length > readBytesMax) return true;
  let levels = 0;
  let deepest = 0;
  let isText = false;
  for (let index = 0; index < line.length; index += 1) {
    const byte = line[index];
    if (isText && byte === 0x5c) index += 1;
    else if (byte === 0x22) isText = !isText;
    else if (!isText && (byte === 0x5b || byte === 0x7b)) deepest = Math.max(deepest, ++levels);
    else if (!isText && (byte === 0x5d || byte === 0x7d)) levels -= 1;
  }
  return deepest > readLevelsMax;
}

/**
 * True if all readers find the same messages in it; undefined for a blank, deep or long line, or
 * if this holds for part of a batch.
 */
export function isClear(line: Buffer, by: "client" | "server"): boolean | undefined {
  if (line.includes(0)) return false;
  const text = decoder.decode(line);
  if (text.trim() === "" || isBeyondReading(line)) return undefined;
  const value = parseLeniently(text);
  const all = Array.isArray(value) ? value : [value];
  const frameDepth = Array.isArray(value) ? 2 : 1;
  const hasParams = all.some((message) => Object.hasOwn(Object(message), "params"));
  const depth = by === "server" && all.some(isDeep) ? Infinity : frameDepth + Number(hasParams);
  if (value === undefined || hasOddNames(text, depth)) return false;
  const clear = all.filter(isOneMessage).length;
  return clear > 0 && clear < all.length ? undefined : clear > 0;
}

function isDeep(value: Json): boolean {
  const isNews = textAt(value, "method")?.startsWith("notifications/tasks") === true;
  return isNews || ["result", "error"].some((name) => at(value, name) !== undefined);
}

const frameNames = ["jsonrpc", "id", "method", "params", "result", "error"];

function hasOddNames(json: string, depthMax: number): boolean {
  const open: string[][] = [];
  for (const [token, name] of json.matchAll(nameOrBracket)) {
    if (token === "{" || token === "[") open.push([]);
    if (token === "}" || token === "]") open.pop();
    const names = open.at(-1);
    if (name === undefined || !names || open.length > depthMax) continue;
    if (isOddName(name, names)) return true;
    names.push(String(JSON.parse(`"${name}"`)));
  }
  return false;
}

const nameOrBracket = /"((?:[^"\\]|\\.)*)"(?=\s*:)|"(?:[^"\\]|\\.)*"|[[{}\]]/gs;

function isOddName(name: string, names: readonly string[]): boolean {
  const read = String(JSON.parse(`"${name}"`));
  const plain = read.toLowerCase().replaceAll("\uFFFD", "").replace("\u017F", "s");
  const isVariant = plain !== read && [...frameNames, "name", "arguments"].includes(plain);
  return isVariant || names.includes(read) || (read !== name && /^\w+$/.test(read));
}

function isOneMessage(value: Json): boolean {
  const [reading] = readMessage(value);
  const has = (name: string): boolean => Object.hasOwn(Object(value), name);
  if (!reading)
    return at(value, "jsonrpc") === "2.0" && !has("method") && !has("result") && has("error");
  if (reading.kind === "answer") return has("result") !== has("error");
  const { method, params } = reading;
  const named = method === "tools/call" ? textAt(params, "name") : "";
  if (named === undefined || /[\0\uFFFD]/.test(`${method}${named}`)) return false;
  return !has("result") && !has("error");
}

export type OwnLine = {
  /**
   * `unrun`: mcp-meter kept the request back. `unclear`: readers would understand the request differently. `withheld`: it kept
   * the answer back. `cut`: it shortened the answer.
   */
  readonly kind: "unrun" | "unclear" | "withheld" | "cut";
  readonly rawId: string | undefined;
};

const unrunReasons: ReadonlySet<unknown> = new Set([
  "arguments_over_budget",
  "budget_spent",
  "repeated_call",
  "counters_unreachable",
  "definition_changed",
  "tool_not_locked",
  "definition_not_seen",
]);

export function readOwnLine(line: Uint8Array): OwnLine | undefined {
  const text = Buffer.from(line).toString();
  if (!text.includes("mcp-meter")) return undefined;
  const kind = findOwnKind(parseLeniently(text));
  return (
    kind && { kind, rawId: /^\{"jsonrpc":"2\.0","id":(.*?),"(?:result|error)":/s.exec(text)?.[1] }
  );
}

function findOwnKind(value: unknown): OwnLine["kind"] | undefined {
  for (const result of [
    at(value, "result"),
    at(value, "result", "result"),
    at(value, "params", "result"),
  ]) {
    const first = textAt(listAt(result, "content")[0], "text");
    if (first?.startsWith("mcp-meter: ") === true) {
      return first.includes(" was not run. ") ? "unrun" : "withheld";
    }
    const last = textAt(listAt(result, "content").at(-1), "text");
    if (/^\[mcp-meter: (?:cut after|shown without) /.test(last ?? "")) return "cut";
  }
  for (const error of [at(value, "error"), at(value, "params", "error")]) {
    if (at(error, "data", "source") !== "mcp-meter") continue;
    if (at(error, "data", "reason") === "unclear_message") return "unclear";
    return unrunReasons.has(at(error, "data", "reason")) ? "unrun" : "withheld";
  }
  return undefined;
}
