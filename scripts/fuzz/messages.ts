import type { Random } from "./contents.ts";

export type Piece =
  string | { readonly base64: string } | { readonly text: string; readonly times: number };

export type Speaker = "client" | "server";

export type Step = {
  readonly by: Speaker;
  readonly pieces: readonly Piece[];
  readonly cuts?: readonly number[];
  readonly needs?: string;
};

export type Ending =
  | { readonly kind: "eof"; readonly code: number }
  | { readonly kind: "half-close"; readonly code: number }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "crash"; readonly signal: "SIGKILL" | "SIGABRT" }
  | { readonly kind: "term" }
  | { readonly kind: "kill" };

export type Script = {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly ending: Ending;
};

export type Play = { readonly set: string; readonly scripts: readonly Script[] };

export function encodePieces(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map(encodePiece));
}

function encodePiece(piece: Piece): Buffer {
  if (typeof piece === "string") return Buffer.from(piece);
  return "base64" in piece
    ? Buffer.from(piece.base64, "base64")
    : Buffer.from(piece.text.repeat(piece.times));
}

export type Draft = {
  readonly members: readonly Member[];
  readonly before: string;
  readonly after: string;
  readonly encoded?: Uint8Array;
};

type Member = readonly [rawKey: string, rawValue: string];

export const badByte = "\u{E000}";

const longFiller = "\u{E001}";

const longFillerLength = 8 * 1024 * 1024 + 1;

export function makeDraft(members: Readonly<Record<string, unknown>>): Draft {
  const raw = Object.entries(members).map(([key, value]): Member => {
    return [JSON.stringify(key), value instanceof RawJson ? value.text : JSON.stringify(value)];
  });
  return { members: raw, before: "", after: "\n" };
}

export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function changeMember(message: Draft, key: string, change: (raw: string) => string): Draft {
  const wanted = JSON.stringify(key);
  const members = message.members.map(([name, value]): Member => {
    return [name, name === wanted ? change(value) : value];
  });
  return { ...message, members };
}

function findRawMember(message: Draft, key: string): string | undefined {
  return message.members.find(([name]) => name === JSON.stringify(key))?.[1];
}

export function objectText({ members }: Draft): string {
  return `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`;
}

export function splitDraft(message: Draft): readonly Piece[] {
  const { before, after, encoded } = message;
  if (encoded) return [{ base64: Buffer.from(encoded).toString("base64") }, after];
  return splitPieces(`${before}${objectText(message)}${after}`);
}

export function splitPieces(text: string): readonly Piece[] {
  const parts = text.split(new RegExp(`(${badByte}|${longFiller})`));
  return parts.filter((part) => part !== "").map(toPiece);
}

function toPiece(part: string): Piece {
  if (part === badByte) return { base64: Buffer.from([0xff]).toString("base64") };
  return part === longFiller ? { text: "x", times: longFillerLength } : part;
}

const idKinds: readonly ((number: number, random: Random) => string)[] = [
  (number) => `"${number}"`,
  (number) => `"call ${number}"`,
  (number) => `${number}.0`,
  (number) => `${number}.5`,
  (number) => `-${number}`,
  (number) => `"${"long".repeat(150)}${number}"`,
  (number) => String(2 ** 53 + number * 4096),
  (number) => `1e${number + 30}`,
  (number) => `"\\u00e9${number}"`,
  (number, random) => String(random.between(1, number)),
];

export function makeUnusualId(number: number, random: Random): string {
  return random.pick(idKinds)(number, random);
}

type Mutation = (message: Draft, by: Speaker, random: Random) => Draft | undefined;

const manyBlanks = " ".repeat(600);

function insertIntoPayload(message: Draft, rawMemberText: string): Draft | undefined {
  for (const key of ["params", "result"]) {
    const value = findRawMember(message, key);
    if (value === undefined || !value.endsWith("}")) continue;
    const comma = value === "{}" ? "" : ",";
    return changeMember(message, key, (raw) => `${raw.slice(0, -1)}${comma}${rawMemberText}}`);
  }
  return undefined;
}

function padMember(message: Draft, key: string): Draft {
  const name = JSON.stringify(key);
  const members = message.members.map(([rawKey, value]): Member => {
    return rawKey === name
      ? [`${manyBlanks}${rawKey}${manyBlanks}`, ` ${value}\t`]
      : [rawKey, value];
  });
  return { ...message, members };
}

function dropMember(message: Draft, key: string): Draft {
  const name = JSON.stringify(key);
  return { ...message, members: message.members.filter(([rawKey]) => rawKey !== name) };
}

function prependMembers(message: Draft, ...members: readonly Member[]): Draft {
  return { ...message, members: [...members, ...message.members] };
}

function respellId(
  message: Draft,
  by: Speaker,
  spell: (digits: string) => string,
): Draft | undefined {
  const isAnswer = by === "server" && findRawMember(message, "method") === undefined;
  const id = findRawMember(message, "id");
  if (!isAnswer || id === undefined || !/^\d{1,9}$/.test(id)) return undefined;
  return changeMember(message, "id", spell);
}

function nestLists(levels: number): string {
  return `"deep":${"[".repeat(levels)}${"]".repeat(levels)}`;
}

function addTwin(
  message: Draft,
  rawKey: string,
  twinKey: string,
  isFirst: boolean,
): Draft | undefined {
  const value = findRawMember(message, rawKey);
  if (value === undefined) return undefined;
  const members: readonly Member[] = [[`"${twinKey}"`, value]];
  return isFirst
    ? prependMembers(message, ...members)
    : { ...message, members: [...message.members, ...members] };
}

function respellKey(key: string, random: Random): string {
  const first = `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;
  return random.pick([first, key.toUpperCase(), key.replace("s", "\u{17F}"), `${key}${badByte}`]);
}

const frameKeys = ["jsonrpc", "id", "method", "params", "result", "error"];

function encode(text: string, random: Random): Uint8Array {
  const bytes = Buffer.from(`${random.pick(["", "\uFEFF"])}${text}`, "utf16le");
  const kind = random.pick(["le", "be", "wide"]);
  if (kind === "wide")
    return Buffer.from([...bytes].flatMap((byte, at) => (at % 2 ? [byte, 0, 0] : [byte])));
  return kind === "le" ? bytes : bytes.swap16();
}

const mutations: Readonly<Record<string, Mutation>> = {
  "other-case": (message, _, random) => {
    const key = JSON.stringify(random.pick(frameKeys));
    const members = message.members.map(([name, value]): Member => {
      return [name === key ? `"${respellKey(JSON.parse(key), random)}"` : name, value];
    });
    return { ...message, members };
  },
  "twin-in-other-case": (message, _, random) => {
    const key = random.pick(frameKeys);
    return addTwin(message, key, respellKey(key, random), random.chance(0.5));
  },
  twin: (message, _, random) => {
    const key = random.pick(frameKeys);
    return addTwin(message, key, key, random.chance(0.5));
  },
  "twin-in-payload": (message, _, random) =>
    insertIntoPayload(
      message,
      random.pick([
        '"name":"beta"',
        '"Name":"beta"',
        '"content":[]',
        '"Content":[]',
        '"N\\u0061me":1',
      ]),
    ),
  "other-encoding": (message, _, random) => ({
    members: [],
    before: "",
    after: message.after,
    encoded: encode(`${message.before}${objectText(message)}`, random),
  }),
  "pad-id": (message) => padMember(message, "id"),
  "pad-version": (message) => padMember(message, "jsonrpc"),
  reorder: (message, _, random) => ({ ...message, members: random.shuffle(message.members) }),
  "repeat-version": (message) =>
    prependMembers(message, ...Array.from({ length: 33 }, (): Member => ['"jsonrpc"', '"2.0"'])),
  "repeat-id": (message) =>
    findRawMember(message, "id") === undefined
      ? undefined
      : prependMembers(message, ['"id"', '"other"']),
  "many-members": (message) =>
    prependMembers(message, ...Array.from({ length: 40 }, (_, at): Member => [`"x${at}"`, "0"])),
  "escaped-key": (message) => ({
    ...message,
    members: message.members.map(([key, value]): Member => {
      return [key === '"id"' ? '"\\u0069d"' : key, value];
    }),
  }),
  "missing-version": (message) => dropMember(message, "jsonrpc"),
  "missing-id": (message) => dropMember(message, "id"),
  "null-id": (message) =>
    findRawMember(message, "id") === undefined
      ? undefined
      : changeMember(message, "id", () => "null"),
  "id-as-text": (message, by) => respellId(message, by, (digits) => `"${digits}"`),
  "id-as-padded-text": (message, by) => respellId(message, by, (digits) => `" ${digits}.0 "`),
  "id-as-decimal": (message, by) => respellId(message, by, (digits) => `${digits}.0`),
  "id-as-exponent": (message, by) => respellId(message, by, (digits) => `${digits}e0`),
  "result-and-error": (message) =>
    findRawMember(message, "result") === undefined
      ? undefined
      : {
          ...message,
          members: [...message.members, ['"error"', '{"code":-32000,"message":"also failed"}']],
        },
  "byte-order-mark": (message) => ({ ...message, before: `\uFEFF${message.before}` }),
  "carriage-return": (message) => ({ ...message, after: `\r${message.after}` }),
  "blank-lines": (message) => ({ ...message, after: `${message.after}\n \t\n` }),
  indented: (message) => ({ ...message, before: ` \t ${message.before}` }),
  "not-a-number": (message, _, random) =>
    insertIntoPayload(message, `"nan":${random.pick(["NaN", "Infinity", "-Infinity"])}`),
  "long-numbers": (message) =>
    insertIntoPayload(message, `"numbers":[${"1e20,".repeat(30)}-0,1E-7,5e-324,1e308]`),
  "lone-surrogate": (message) =>
    insertIntoPayload(message, String.raw`"half":"\ud83d \udc00\u0000"`),
  "bad-byte": (message) => insertIntoPayload(message, `"bad":"${badByte}"`),
  deep: (message, _, random) =>
    insertIntoPayload(message, nestLists(random.pick([100, 257, 300, 5_000]))),
  wide: (message) => insertIntoPayload(message, `"wide":[${"0,".repeat(1_000)}0]`),
  long: (message, _, random) =>
    random.chance(0.02) ? insertIntoPayload(message, `"long":"${longFiller}"`) : undefined,
  torn: (message, _, random) =>
    random.chance(0.2) ? { ...message, members: message.members.slice(1), after: "\n" } : undefined,
};

export function mutate(message: Draft, by: Speaker, random: Random): Draft {
  let mutated = message;
  for (let count = random.between(1, 2); count > 0; count -= 1) {
    mutated = random.pick(Object.values(mutations))(mutated, by, random) ?? mutated;
  }
  return mutated;
}
