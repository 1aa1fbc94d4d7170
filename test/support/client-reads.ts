import { expect, test } from "bun:test";
import type { ClientFacts, ClientProfile } from "#cost/clients/client-profile.ts";
import { findProfile } from "#cost/clients/index.ts";
import { describeError } from "#cost/methods.ts";
import type { Part } from "#cost/part.ts";
import { countParts } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import { type AskedFacts, readingOf } from "#cost/reading.ts";
import { describeToolResult, type Visibility } from "#cost/visibility.ts";
import { resolveEstimator } from "#estimators/resolve.ts";
import { tiktoken } from "../estimators/support/counters.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const text = (of: string, more: object = {}) => ({ type: "text", text: of, ...more });
const image = { type: "image", data: png, mimeType: "image/png" };
const city = { city: "Oslo", temp: 3 };

/** Every kind of answer that clients show in different ways. */
const answers = {
  text: { content: [text("Two rows")] },
  "two texts": { content: [text("First."), text("Second.")] },
  "the same twice": { content: [text('{"city":"Oslo","temp":3}')], structuredContent: city },
  "different halves": { content: [text("Cold in Oslo")], structuredContent: city },
  "structured content alone": { content: [], structuredContent: city },
  "structured content that is null": { content: [text("Two rows")], structuredContent: null },
  "an image": { content: [text("A map"), image] },
  "an image beside structured content": {
    content: [text("A map"), image],
    structuredContent: city,
  },
  "an image that cannot be read": {
    content: [{ type: "image", data: "Qk0tbm90", mimeType: "image/bmp" }],
  },
  sound: { content: [{ type: "audio", data: "AAAA".repeat(512), mimeType: "audio/wav" }] },
  "a link": {
    content: [
      {
        type: "resource_link",
        uri: "test://1",
        name: "one",
        title: "One",
        description: "The first",
      },
    ],
  },
  "a resource with text": {
    content: [{ type: "resource", resource: { uri: "test://2", text: "Body" } }],
  },
  "a resource with bytes": {
    content: [
      {
        type: "resource",
        resource: { uri: "test://3", mimeType: "application/zip", blob: "AAAA".repeat(512) },
      },
    ],
  },
  "a block of an unknown kind": { content: [{ type: "hologram", of: "me" }, text("After")] },
  nothing: { content: [] },
  "text for the user alone": {
    content: [text("Saved", { annotations: { audience: ["user"] } }), text("Two rows")],
  },
  "a tool error": { content: [text("No such"), text("city")], isError: true },
  "a tool error with structured content": {
    content: [text("No such city")],
    structuredContent: { code: 7 },
    isError: true,
  },
} as const;

const protocolError = { code: -32602, message: "Unknown city", data: { city: "Oslo" } };

/** The texts that a client's model reads of every kind of answer; `image 640×480` and the like stand for media. */
export type ClientReads = {
  readonly [answer in keyof typeof answers | "a JSON-RPC error"]: readonly string[];
};

/** The request of all answers. */
export const asked: AskedFacts = { tool: "weather", input: ["weather", '{"q":1}'], caller: {} };

/** A reader whose tokens are those of tiktoken's o200k. */
export function readerOf(profile: ClientProfile): Reader {
  const { estimator, model } = resolveEstimator({ tokenizer: "o200k", model: "gpt-5" }, tiktoken);
  return { estimator, family: model.family, profile, windowTokens: 200_000, model: null };
}

/** How a client reads one result. */
export function readResult(profile: ClientProfile, result: unknown, more = asked): Visibility {
  return describeToolResult(result, readingOf(readerOf(profile), more));
}

/** Parts as texts, media by their size. */
export function shown(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "audio") return "sound";
    return part.size ? `image ${part.size.width}×${part.size.height}` : "image of unknown size";
  });
}

/** Tokens of texts by tiktoken. */
export function tokensIn(texts: readonly string[]): number {
  const counter = tiktoken.tokenizer("o200k_base");
  return texts.reduce((sum, one) => sum + counter.count(one), 0);
}

/** One test for every kind of answer: its text, and its tokens by tiktoken. */
export function testReads(
  client: string | undefined,
  facts: ClientFacts,
  expected: ClientReads,
): void {
  const profile = findProfile(client, facts);
  const reader = readerOf(profile);
  for (const [name, result] of Object.entries(answers)) {
    test(`${client ?? "unknown"} shows ${name}`, () => {
      const { visible } = readResult(profile, result);
      const texts = expected[name as keyof typeof answers];
      expect(shown(visible)).toEqual([...texts]);
      const words = visible.filter(({ kind }) => kind === "text");
      expect(countParts(words, reader)).toBe(tokensIn(shown(words)));
    });
  }
  test(`${client ?? "unknown"} shows a JSON-RPC error`, () => {
    const { visible } = describeError("tools/call", protocolError, readingOf(reader, asked));
    expect(shown(visible)).toEqual([...expected["a JSON-RPC error"]]);
  });
}
