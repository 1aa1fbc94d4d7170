const words = ["row", "value", "id", "total", "2026-07-28", "naïve", "東京", "🦊", "\t", "\n", '"'];

const odd = [
  "\u2028\u2029",
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  "한글".repeat(30),
  "=".repeat(120),
  "a\u0301".repeat(20),
  "\u0000\u001b[31m",
  "\\u0000",
  '{"rows":[{"id":1,"name":"x"},{"id":2,"name":"y"}]}',
  "__proto__",
];

export function text(random: Random, length: number): string {
  let result = "";
  while (result.length < length) {
    result += `${random.chance(0.05) ? random.pick(odd) : random.pick(words)} `;
  }
  return result.slice(0, length).toWellFormed();
}

export function pickLength(random: Random): number {
  const lengthMax = random.pickWeighted([
    [3, 20],
    [5, 300],
    [4, 2_000],
    [1, 15_000],
    [0.03, 400_000],
  ]);
  return random.between(0, lengthMax);
}

function makeJson(random: Random, levels = 3): unknown {
  if (levels > 0 && random.chance(0.6)) {
    const size = random.between(0, 4);
    if (random.chance(0.5)) return Array.from({ length: size }, () => makeJson(random, levels - 1));
    return Object.fromEntries(
      Array.from({ length: size }, (_, at) => [`k${at}`, makeJson(random, levels - 1)]),
    );
  }
  return random.pick<unknown>([
    null,
    true,
    0,
    -1.5,
    1e20,
    1e-7,
    123_456_789,
    "",
    text(random, random.between(0, 60)),
  ]);
}

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function block(random: Random): unknown {
  return random.pickWeighted<() => unknown>([
    [8, () => ({ type: "text", text: text(random, pickLength(random)) })],
    [1, () => ({ type: "image", data: pixel, mimeType: "image/png" })],
    [1, () => ({ type: "audio", data: "UklGRiQAAABXQVZFZm10IA==", mimeType: "audio/wav" })],
    [1, () => ({ type: "resource", resource: resource(random) })],
    [1, () => ({ type: "resource_link", uri: "file:///a", name: text(random, 20) })],
    [2, () => withLongMember(random)],
    [1, () => ({ type: "unheard-of", payload: makeJson(random), _meta: { at: 1 } })],
    [0.3, () => makeJson(random, 1)],
  ])();
}

function withLongMember(random: Random): unknown {
  const long = text(random, pickLength(random));
  const data = Buffer.from(long).toString("base64");
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  return random.pick<() => unknown>([
    () => ({ ...link, title: long }),
    () => ({ ...link, mimeType: long }),
    () => ({ ...link, icons: [{ src: long }] }),
    () => ({ ...link, [long.slice(0, 300)]: 1 }),
    () => ({ type: "text", text: "a", _meta: { note: long } }),
    () => ({ type: "text", text: "a", annotations: { audience: [long] } }),
    () => ({ type: "image", data: pixel, mimeType: "image/png", _meta: { note: [long] } }),
    () => ({ type: "audio", data, mimeType: "audio/wav" }),
    () => ({
      type: "image",
      data: makeMisstatedMedia(random, Buffer.from(long)),
      mimeType: "image/gif",
    }),
    () => ({ type: "resource", resource: { uri: "file:///b", blob: data, mimeType: long } }),
    () => ({ type: "resource", resource: { uri: long, text: "a" } }),
  ])();
}

function makeMisstatedMedia(random: Random, bytes: Uint8Array): string {
  const header = random.pick([
    "GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\xff\x0f\xff\x0f\0",
    "\xff\xd8\xff\xff\xff\xff\xc0\0\x11\x08\x0f\xff\x0f\xff",
    "RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\xff\xff\xff\xff\xff\xff\xff\xff",
  ]);
  return Buffer.concat([Buffer.from(header, "latin1"), bytes]).toString("base64");
}

function resource(random: Random): unknown {
  const uri = `file:///${random.between(1, 9)}`;
  return random.chance(0.7)
    ? { uri, text: text(random, pickLength(random)) }
    : { uri, blob: pixel, mimeType: random.pick(["image/png", "application/pdf"]) };
}

export function makeToolResult(random: Random): Readonly<Record<string, unknown>> {
  const blocks = Array.from({ length: random.between(0, 3) }, () => block(random));
  const structured = random.chance(0.25) ? { rows: makeJson(random) } : undefined;
  const repeated = { type: "text", text: JSON.stringify(structured) };
  return {
    content: structured !== undefined && random.chance(0.5) ? [...blocks, repeated] : blocks,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(random.chance(0.1) && { isError: true }),
    ...(random.chance(0.1) && { _meta: { note: text(random, 10) } }),
    ...(random.chance(0.05) && { unknownMember: makeJson(random) }),
  };
}

export function makeResult(method: string, random: Random): Readonly<Record<string, unknown>> {
  if (method === "resources/read") return { contents: [resource(random)] };
  if (method === "prompts/get") return { messages: [{ role: "user", content: block(random) }] };
  if (random.chance(0.03)) return { unknownMember: makeJson(random) };
  return makeToolResult(random);
}

export const toolNames: readonly string[] = ["alpha", "beta", "tool_1", "tool_2", "gamma"];

export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
};

export function makeDefinition(name: string): Tool {
  return {
    name,
    description: `Finds rows by ${name}`,
    inputSchema: { type: "object", properties: { query: { type: "string" } } },
  };
}

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = this.any(values);
    if (value === undefined) throw new Error("Cannot pick from an empty list");
    return value;
  }

  any<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }

  pickWeighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    const total = values.reduce((sum, [weight]) => sum + weight, 0);
    let remaining = this.next() * total;
    for (const [weight, value] of values) {
      remaining -= weight;
      if (remaining < 0) return value;
    }
    return this.pick(values)[1];
  }

  shuffle<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, order: this.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ value }) => value);
  }
}

export function mixSeeds(...numbers: readonly number[]): number {
  let seed = 0x9e3779b9;
  for (const number of numbers) {
    seed = Math.imul(seed ^ (number >>> 0), 0x85ebca6b);
    seed = Math.imul(seed ^ (seed >>> 13), 0xc2b2ae35);
    seed ^= seed >>> 16;
  }
  return seed >>> 0;
}
