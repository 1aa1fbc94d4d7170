/** A JSON-RPC message as a lenient peer reads it. */
export type Reading = {
  readonly kind: "request" | "notification" | "answer";
  /** Undefined where there is none, or null. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Json;
  readonly result: Json;
  readonly error: Json;
};

/** A parsed value whose members may be looked up without a check at every step. */
export type Json = unknown;

const decoder = new TextDecoder();

/** The lines of a stream, newlines included; the last one may be unfinished. */
export function linesOf(bytes: Uint8Array): readonly Buffer[] {
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

/** The messages of a line: none when it is not JSON-RPC, several in a batch. */
export function readMessages(line: Uint8Array): readonly Reading[] {
  const value = parseLeniently(decoder.decode(line));
  return (Array.isArray(value) ? value : [value]).flatMap(readMessage);
}

/** The parsed line; undefined when it is not JSON. Numbers that JSON does not have are null. */
export function parseLeniently(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined;
  }
  try {
    return JSON.parse(
      outsideTexts(text, (part) => part.replace(/-?\b(?:NaN|Infinity)\b/g, "null")),
    );
  } catch {
    return undefined;
  }
}

/** The JSON with `change` applied to everything but its texts. Not one pattern: a text may have millions of characters. */
function outsideTexts(json: string, change: (part: string) => string): string {
  const parts: string[] = [];
  for (let from = 0; from < json.length;) {
    const begin = json.indexOf('"', from);
    if (begin < 0) return [...parts, change(json.slice(from))].join("");
    const end = textEnd(json, begin);
    parts.push(change(json.slice(from, begin)), json.slice(begin, end));
    from = end;
  }
  return parts.join("");
}

/** Where the text ends that begins with the quote at `begin`. */
function textEnd(json: string, begin: number): number {
  for (let index = begin + 1; index < json.length; index += 1) {
    if (json[index] === "\\") index += 1;
    else if (json[index] === '"') return index + 1;
  }
  return json.length;
}

/** The member at a path; undefined where a step is missing. */
export function at(value: Json, ...path: readonly string[]): Json {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

/** The list at a path; empty where there is none. */
export function listAt(value: Json, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text at a path; undefined where there is none. */
export function textAt(value: Json, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

function readMessage(value: Json): readonly Reading[] {
  if (at(value, "jsonrpc") !== "2.0") return [];
  const rawId = at(value, "id") ?? undefined;
  const id = typeof rawId === "string" || typeof rawId === "number" ? rawId : undefined;
  if (id !== rawId) return [];
  const kind = kindOf(value, id);
  if (kind === undefined) return [];
  const method = textAt(value, "method") ?? "";
  const [params, result, error] = ["params", "result", "error"].map((name) => at(value, name));
  return [{ kind, id, method, params, result, error }];
}

function kindOf(value: Json, id: Reading["id"]): Reading["kind"] | undefined {
  if (textAt(value, "method") !== undefined) return id === undefined ? "notification" : "request";
  const isAnswer = at(value, "result") !== undefined || at(value, "error") !== undefined;
  return isAnswer && id !== undefined ? "answer" : undefined;
}

/** Bytes of a line and levels of nesting up to which mcp-meter parses it (docs/adr/0012-beyond-limits.md). */
const readBytesMax = 8 * 1024 * 1024;
const readLevelsMax = 256;

/** True for a line of which mcp-meter only reads id and method. */
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
