import { badByte, type Draft, longFiller, type Member, rawMember, withMember } from "./draft.ts";
import type { Random } from "./random.ts";
import type { Speaker } from "./script.ts";

/** A way to write a message unlike its sender's library would; undefined where it does not apply. */
export type Mutation = (message: Draft, by: Speaker, random: Random) => Draft | undefined;

const manyBlanks = " ".repeat(600);

/** Adds a member to the object that is the value of `params`, or else of `result`. */
function inPayload(message: Draft, rawMemberText: string): Draft | undefined {
  for (const key of ["params", "result"]) {
    const value = rawMember(message, key);
    if (value === undefined || !value.endsWith("}")) continue;
    const comma = value === "{}" ? "" : ",";
    return withMember(message, key, (raw) => `${raw.slice(0, -1)}${comma}${rawMemberText}}`);
  }
  return undefined;
}

function padded(message: Draft, key: string): Draft {
  const name = JSON.stringify(key);
  const members = message.members.map(([rawKey, value]): Member => {
    return rawKey === name
      ? [`${manyBlanks}${rawKey}${manyBlanks}`, ` ${value}\t`]
      : [rawKey, value];
  });
  return { ...message, members };
}

function without(message: Draft, key: string): Draft {
  const name = JSON.stringify(key);
  return { ...message, members: message.members.filter(([rawKey]) => rawKey !== name) };
}

function prepended(message: Draft, ...members: readonly Member[]): Draft {
  return { ...message, members: [...members, ...message.members] };
}

/** An answer's id as another text of the same number. */
function respelt(
  message: Draft,
  by: Speaker,
  spell: (digits: string) => string,
): Draft | undefined {
  const isAnswer = by === "server" && rawMember(message, "method") === undefined;
  const id = rawMember(message, "id");
  if (!isAnswer || id === undefined || !/^\d{1,9}$/.test(id)) return undefined;
  return withMember(message, "id", spell);
}

function nested(levels: number): string {
  return `"deep":${"[".repeat(levels)}${"]".repeat(levels)}`;
}

/** Every mutation by its name. */
const mutations = {
  "pad-id": (message) => padded(message, "id"),
  "pad-version": (message) => padded(message, "jsonrpc"),
  reorder: (message, _, random) => ({ ...message, members: random.shuffled(message.members) }),
  "repeat-version": (message) =>
    prepended(message, ...Array.from({ length: 33 }, (): Member => ['"jsonrpc"', '"2.0"'])),
  "repeat-id": (message) =>
    rawMember(message, "id") === undefined ? undefined : prepended(message, ['"id"', '"other"']),
  "many-members": (message) =>
    prepended(message, ...Array.from({ length: 40 }, (_, at): Member => [`"x${at}"`, "0"])),
  "escaped-key": (message) => ({
    ...message,
    members: message.members.map(([key, value]): Member => {
      return [key === '"id"' ? '"\\u0069d"' : key, value];
    }),
  }),
  "missing-version": (message) => without(message, "jsonrpc"),
  "missing-id": (message) => without(message, "id"),
  "null-id": (message) =>
    rawMember(message, "id") === undefined ? undefined : withMember(message, "id", () => "null"),
  "id-as-text": (message, by) => respelt(message, by, (digits) => `"${digits}"`),
  "id-as-padded-text": (message, by) => respelt(message, by, (digits) => `" ${digits}.0 "`),
  "id-as-decimal": (message, by) => respelt(message, by, (digits) => `${digits}.0`),
  "id-as-exponent": (message, by) => respelt(message, by, (digits) => `${digits}e0`),
  "result-and-error": (message) =>
    rawMember(message, "result") === undefined
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
    inPayload(message, `"nan":${random.pick(["NaN", "Infinity", "-Infinity"])}`),
  "long-numbers": (message) =>
    inPayload(message, `"numbers":[${"1e20,".repeat(30)}-0,1E-7,5e-324,1e308]`),
  "lone-surrogate": (message) => inPayload(message, String.raw`"half":"\ud83d \udc00\u0000"`),
  "bad-byte": (message) => inPayload(message, `"bad":"${badByte}"`),
  deep: (message, _, random) => inPayload(message, nested(random.pick([100, 257, 300, 5_000]))),
  wide: (message) => inPayload(message, `"wide":[${"0,".repeat(1_000)}0]`),
  long: (message, _, random) =>
    random.chance(0.02) ? inPayload(message, `"long":"${longFiller}"`) : undefined,
  torn: (message, _, random) =>
    random.chance(0.2) ? { ...message, members: message.members.slice(1), after: "\n" } : undefined,
} as const satisfies Record<string, Mutation>;

/** Name of a mutation. */
export type MutationName = keyof typeof mutations;

/** All names, in the order of the table. */
export const mutationNames = Object.keys(mutations) as readonly MutationName[];

/** The message after up to two mutations of those named. */
export function mutate(
  message: Draft,
  by: Speaker,
  random: Random,
  names: readonly MutationName[],
): Draft {
  let mutated = message;
  for (let count = random.between(1, 2); count > 0; count -= 1) {
    const mutation: Mutation = mutations[random.pick(names)];
    mutated = mutation(mutated, by, random) ?? mutated;
  }
  return mutated;
}
