import { findSdkRejection } from "#tokens/cost/client-profiles/rejections.ts";
import { expect, test } from "bun:test";
import type { ClientDetails, ClientProfile } from "#tokens/cost/client-profiles/client-profile.ts";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { describeError } from "#tokens/cost/describe-calls.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import { countParts } from "#tokens/cost/count-parts.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import {
  type RequestFacts,
  makeAnswerContext,
  describeToolResult,
  type Visibility,
} from "#tokens/cost/visibility.ts";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { tiktoken } from "../tokens/estimators/support/counters.ts";
import { GatedSession } from "./gated-session.ts";
import { type SpokenEra, spokenEras } from "./eras.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const text = (of: string, more: object = {}) => ({ type: "text", text: of, ...more });
const image = { type: "image", data: png, mimeType: "image/png" };
const city = { city: "Oslo", temp: 3 };

export const nullStructured = findSdkRejection({ structuredContent: null }) ?? "";
export const unknownBlock = findSdkRejection({ content: [{ type: "hologram" }] }) ?? "";

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

export type ClientReads = {
  readonly [
    answer in
      keyof typeof answers | "a JSON-RPC error" | "a refusal" | "a refusal as a JSON-RPC error"
  ]: readonly string[];
};

export const refusal =
  "mcp-meter: weather was not run. It is forbidden by a configured limit. Continue without it.";
export const refusalData =
  '{"source":"mcp-meter","reason":"tool_forbidden","tool":"weather","limit":0,"spent":0,"tokens":6,"per":"call"}';

export const asked: RequestFacts = { tool: "weather", input: ["weather", '{"q":1}'], caller: {} };

export function readerOf(profile: ClientProfile): Reader {
  const { estimator, model } = resolveEstimator({ tokenizer: "o200k", model: "gpt-5" }, tiktoken);
  return { estimator, family: model.family, profile, windowTokens: 200_000, model: null };
}

export function readResult(profile: ClientProfile, result: unknown, more = asked): Visibility {
  return describeToolResult(result, makeAnswerContext(readerOf(profile), more));
}

/** What a client shows that hands on each block as it is, and structured content where there is no text. */
export const plainReads: ClientReads = {
  text: ["Two rows"],
  "two texts": ["First.", "Second."],
  "the same twice": ['{"city":"Oslo","temp":3}'],
  "different halves": ["Cold in Oslo"],
  "structured content alone": ['{"city":"Oslo","temp":3}'],
  "structured content that is null": ["Two rows"],
  "an image": ["A map", "image 640×480"],
  "an image beside structured content": ["A map", "image 640×480"],
  "an image that cannot be read": ["image of unknown size"],
  sound: ["sound"],
  "a link": ["test://1\none\nThe first"],
  "a resource with text": ["test://2\nBody"],
  "a resource with bytes": ["test://3 application/zip"],
  "a block of an unknown kind": ['{"type":"hologram","of":"me"}', "After"],
  nothing: [],
  "text for the user alone": ["Saved", "Two rows"],
  "a tool error": ["No such", "city"],
  "a tool error with structured content": ["No such city"],
  "a JSON-RPC error": ["-32602", "Unknown city", '{"city":"Oslo"}'],
  "a refusal": [refusal],
  "a refusal as a JSON-RPC error": ["-31900", refusal, refusalData],
};

export function shown(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "audio") return "sound";
    return part.size ? `image ${part.size.width}×${part.size.height}` : "image of unknown size";
  });
}

export function tokensIn(texts: readonly string[]): number {
  const counter = tiktoken.loadTokenizer("o200k_base");
  return texts.reduce((sum, one) => sum + counter.count(one), 0);
}

/** Tokens of media for GPT-5: 70 and 140 a tile, two tiles, and four of an image of 1024 × 1024; 1,536 bytes of sound. */
const mediaTokens: { readonly [shown: string]: number } = {
  "image 640×480": 350,
  "image of unknown size": 630,
  sound: 4,
};

function costOf(texts: readonly string[]): number {
  return texts.reduce((sum, one) => sum + (mediaTokens[one] ?? tokensIn([one])), 0);
}

function inEra(texts: readonly string[], { era }: SpokenEra, result: object): readonly string[] {
  if (era === "legacy") return texts;
  const json = JSON.stringify({ resultType: "complete", ...result });
  const typed = '(Object {"resultType": String("complete"), "content": ';
  return texts.map((one) =>
    one.replace(JSON.stringify(result), () => json).replace('(Object {"content": ', () => typed),
  );
}

function sessionOf(client: string | undefined, profile: ClientProfile, { begin, ask }: SpokenEra) {
  return (budgets: readonly string[], errorForm: "tool" | "rpc" = "tool"): GatedSession => {
    const { asked: hello, answered } = begin(client ?? "somebody");
    return new GatedSession(budgets, { readerFor: () => readerOf(profile), errorForm })
      .client(hello)
      .server(answered)
      .client(ask(1, "tools/call", { name: "weather", arguments: { q: 1 } }));
  };
}

export function testReads(
  client: string | undefined,
  facts: ClientDetails,
  expected: ClientReads,
  modern: Partial<ClientReads> = {},
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
    const { visible } = describeError(
      "tools/call",
      protocolError,
      makeAnswerContext(reader, asked),
    );
    expect(shown(visible)).toEqual([...expected["a JSON-RPC error"]]);
  });
  for (const era of spokenEras) {
    const reads = era.era === "modern" ? { ...expected, ...modern } : expected;
    testSessions(sessionOf(client, profile, era), era, reads);
  }
}

function testSessions(
  begin: ReturnType<typeof sessionOf>,
  era: SpokenEra,
  expected: ClientReads,
): void {
  test.each(Object.entries(answers))(`${era.era}, a session with %s`, (name, result) => {
    const session = begin([]).server(era.answer(1, result)).end();
    const texts = inEra(expected[name as keyof typeof answers], era, result);
    const outcome = "isError" in result ? "tool_error" : "ok";
    expect(session.calls).toMatchObject([{ outcome, output_tokens: costOf(texts) }]);
  });
  test(`${era.era}, a session with a JSON-RPC error`, () => {
    const session = begin([]).server({ jsonrpc: "2.0", id: 1, error: protocolError }).end();
    const tokens = costOf(expected["a JSON-RPC error"]);
    expect(session.calls).toMatchObject([{ outcome: "rpc_error", output_tokens: tokens }]);
  });
  test(`${era.era}, a session with refusals`, () => {
    const content = [{ type: "text", text: refusal }];
    const texts = inEra(expected["a refusal"], era, { content, isError: true });
    expect(begin(["weather=0"]).end().calls).toMatchObject([
      { outcome: "refused", output_tokens: costOf(texts) },
    ]);
    const tokens = costOf(expected["a refusal as a JSON-RPC error"]);
    expect(begin(["weather=0"], "rpc").end().calls).toMatchObject([
      { outcome: "refused", output_tokens: tokens },
    ]);
  });
}
