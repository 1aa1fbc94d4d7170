import { closeBrace } from "#kit/text/ascii.ts";
import { joinBytes } from "./line.ts";
import { findMember, type Member, type Skim } from "./skim.ts";
import { skimBytes } from "./skimmer.ts";

/**
 * The line of a JSON-RPC result with one more member in the `_meta` of the result; every other byte is
 * unchanged. The member comes last, where it overrides one of the same name. Undefined when the result or its
 * `_meta` is not an object.
 */
export function spliceMeta(line: Uint8Array, key: string, value: unknown): Uint8Array | undefined {
  const result = findObject(line, findMember(skimBytes(line), "result"), 0);
  if (!result) return undefined;
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const rawMeta = findMember(result.skim, "_meta");
  if (!rawMeta) return insertLast(line, result, `"_meta":{${member}}`);
  const meta = findObject(line, rawMeta, result.start);
  return meta && insertLast(line, meta, member);
}

type ObjectSpan = { readonly start: number; readonly close: number; readonly skim: Skim };

function findObject(
  line: Uint8Array,
  member: Member | undefined,
  offset: number,
): ObjectSpan | undefined {
  if (!member) return undefined;
  const start = offset + member.start;
  const bytes = line.subarray(start, offset + member.end);
  const skim = skimBytes(bytes);
  const close = bytes.lastIndexOf(closeBrace);
  const isObject = skim.shape === "object" && skim.closed && close > 0;
  return isObject ? { start, close: start + close, skim } : undefined;
}

function insertLast(line: Uint8Array, { close, skim }: ObjectSpan, member: string): Uint8Array {
  const comma = skim.members.length === 0 ? "" : ",";
  const inserted = new TextEncoder().encode(`${comma}${member}`);
  return joinBytes([line.subarray(0, close), inserted, line.subarray(close)]);
}
