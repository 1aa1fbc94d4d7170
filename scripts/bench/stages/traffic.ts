/** Small calls and their answers as they cross the pipe in bursts: some calls, then their answers. */
import type { Side } from "#wire/side.ts";
import { joinLines, linePrefix } from "../messages.ts";

/** Calls in a burst, about 64 KiB of lines. */
const burstCalls = 300;

/** The calls of one column of the table. */
export type TrafficShape = {
  /** Heading of the column. */
  readonly name: string;
  readonly calls: number;
  /** Bytes of the text of an answer, at most. */
  readonly answerBytes: number;
  /** True when all answers are the same; the arguments of all calls differ in any case. */
  readonly isRepeated: boolean;
};

/** A part of the traffic, as one read of a pipe may return it. */
export type SentChunk = { readonly from: Side; readonly bytes: Uint8Array };

/** The chunks of such calls, in the order in which they pass. */
export function chunksOf({ calls, answerBytes, isRepeated }: TrafficShape): SentChunk[] {
  const answer = (id: number) => answerLine(id, answerText(isRepeated ? 0 : id, answerBytes));
  const chunks: SentChunk[] = [];
  for (let from = 1; from <= calls; from += burstCalls) {
    const to = Math.min(from + burstCalls, calls + 1);
    chunks.push({ from: "client", bytes: joinLines(callLine, from, to) });
    chunks.push({ from: "server", bytes: joinLines(answer, from, to) });
  }
  return chunks;
}

function callLine(id: number): string {
  const query = `status of order ${fiveDigits(id)} in the west region`;
  return `${linePrefix}${id},"method":"tools/call","params":{"name":"search_orders","arguments":{"query":"${query}","status":"open","limit":10}}}\n`;
}

function answerLine(id: number, text: string): string {
  return `${linePrefix}${id},"result":${JSON.stringify({ content: [{ type: "text", text }] })}}\n`;
}

/** As many rows of JSON as fit, at least one. */
function answerText(id: number, bytes: number): string {
  let text = row(id, 0);
  for (let at = 1; ; at += 1) {
    const next = row(id, at);
    if (text.length + 1 + next.length > bytes) return text;
    text += `\n${next}`;
  }
}

function row(id: number, at: number): string {
  return `{"order": ${fiveDigits(id + at)}, "status": "shipped", "note": "left the warehouse in Basel at noon, ${fiveDigits(id * 31 + at)} kg"}`;
}

/** A number that no other id below 89,989 has. */
function fiveDigits(id: number): number {
  return 10_000 + ((id * 7_919) % 89_989);
}
