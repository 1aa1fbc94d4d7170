import { closeBrace } from "./ascii.ts";
import { joinBytes } from "./bytes.ts";
import { type Member, findMember, type Skim } from "./skim.ts";
import { skimBytes } from "./skimmer.ts";

/**
 * The line of a JSON-RPC result with one more member in the result's `_meta`; every other byte stays as it
 * is. The member goes last, where it wins over one of the same name. Undefined when there is no object to
 * put it in.
 */
export function spliceMeta(line: Uint8Array, key: string, value: unknown): Uint8Array | undefined {
  const result = objectIn(line, findMember(skimBytes(line), "result"), 0);
  if (!result) return undefined;
  const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const rawMeta = findMember(result.skim, "_meta");
  if (!rawMeta) return insertLast(line, result, `"_meta":{${member}}`);
  const meta = objectIn(line, rawMeta, result.start);
  return meta && insertLast(line, meta, member);
}

/** An object inside a line: where it begins, where its closing brace is, and what it holds. */
type Span = { readonly start: number; readonly close: number; readonly skim: Skim };

function objectIn(line: Uint8Array, member: Member | undefined, offset: number): Span | undefined {
  if (!member) return undefined;
  const start = offset + member.start;
  const bytes = line.subarray(start, offset + member.end);
  const skim = skimBytes(bytes);
  const close = bytes.lastIndexOf(closeBrace);
  return skim.shape === "object" && skim.closed && close > 0
    ? { start, close: start + close, skim }
    : undefined;
}

function insertLast(line: Uint8Array, { close, skim }: Span, member: string): Uint8Array {
  const comma = skim.members.length === 0 ? "" : ",";
  const inserted = new TextEncoder().encode(`${comma}${member}`);
  return joinBytes([line.subarray(0, close), inserted, line.subarray(close)]);
}
