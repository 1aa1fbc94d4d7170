import type { Piece } from "./script.ts";

/** A JSON-RPC message that is still being written: members as JSON text, in order, repeats included. */
export type Draft = {
  readonly members: readonly Member[];
  /** Text around the object. */
  readonly before: string;
  readonly after: string;
};

/** A member: its key as JSON text, with white space around it if any, and its value as JSON text. */
export type Member = readonly [rawKey: string, rawValue: string];

/** Stands in a text for a byte that is not UTF-8. */
export const badByte = "\u{E000}";

/** Stands in a text for more bytes than mcp-meter reads of a line. */
export const longFiller = "\u{E001}";

const longFillerLength = 8 * 1024 * 1024 + 1;

/** A message with these members, values as JSON would write them. */
export function draft(members: Readonly<Record<string, unknown>>): Draft {
  const raw = Object.entries(members).map(([key, value]): Member => {
    return [JSON.stringify(key), value instanceof RawJson ? value.text : JSON.stringify(value)];
  });
  return { members: raw, before: "", after: "\n" };
}

/** A value that is already JSON text: an id such as `1.0`. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The draft with the raw value of one member changed; a draft without it stays as it is. */
export function withMember(one: Draft, key: string, change: (raw: string) => string): Draft {
  const wanted = JSON.stringify(key);
  const members = one.members.map(([name, value]): Member => {
    return [name, name === wanted ? change(value) : value];
  });
  return { ...one, members };
}

/** The raw value of a member; undefined without one. */
export function rawMember(one: Draft, key: string): string | undefined {
  return one.members.find(([name]) => name === JSON.stringify(key))?.[1];
}

/** The object as text, without what stands around it. */
export function objectText({ members }: Draft): string {
  return `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`;
}

/** The pieces of the whole line. */
export function piecesOf(one: Draft): readonly Piece[] {
  return splitPieces(`${one.before}${objectText(one)}${one.after}`);
}

/** A text with its stand-ins replaced by bytes. */
export function splitPieces(text: string): readonly Piece[] {
  const parts = text.split(new RegExp(`(${badByte}|${longFiller})`));
  return parts.filter((part) => part !== "").map(pieceOf);
}

function pieceOf(part: string): Piece {
  if (part === badByte) return { base64: Buffer.from([0xff]).toString("base64") };
  return part === longFiller ? { text: "x", times: longFillerLength } : part;
}
