import { describe, expect, test } from "bun:test";
import type { Closing } from "#meter/calls/call.ts";
import { draftCall } from "#meter/session/call-draft.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { common } from "../../support/made-records.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { sha256 } from "../../support/play.ts";
import { callOf } from "../../support/made-calls.ts";

const deps = { risk: riskThresholdsDefault, hash: sha256 };

type Told = {
  readonly method?: string;
  readonly params?: unknown;
  readonly closing?: Partial<Closing>;
  readonly client?: string;
  readonly tokenizer?: "chars3" | "chars4";
  readonly truncated?: boolean;
};

function body(told: Told): MeterRecord {
  const { method = "tools/call", params = { name: "search", arguments: { q: "roses" } } } = told;
  const truncated = told.truncated ?? false;
  const origin = { id: 7, method, truncated, size: 80, atMs: 5 };
  const call = callOf(truncated ? undefined : params, origin);
  call.addAnswer(400, false);
  const closing: Closing = { outcome: "ok", endedMs: 17.12345, ...told.closing };
  const draft = draftCall(call, closing, plainReader(told.client, told.tokenizer), deps);
  while (draft.bill.charactersLeft > 0) draft.bill.advance(50);
  return draft.finish(common, false);
}

function record(told: Told): CallRecord {
  const found = body(told);
  if (found.type !== "call") throw new Error("a call record");
  return found;
}

const text = (of: string) => ({ type: "text", text: of });
const structured = { rows: [1, 2] };
const twice = { content: [text('{"rows": [1, 2]}')], structuredContent: structured };

describe("draftCall", () => {
  test("input is the name and the arguments, output is what the model sees", () => {
    const found = record({ closing: { result: { content: [text("x".repeat(30))] } } });
    expect(found).toMatchObject({
      tool: "search",
      request_id: 7,
      outcome: "ok",
      input_tokens: 2 + 5,
      output_tokens: 10,
      total_tokens: 17,
      wire_tokens: 10,
      visible_tokens: 10,
      duplicate_tokens: 0,
      input_bytes: 80,
      output_bytes: 400,
      duration_ms: 12.123,
      messages: 2,
      risk: "low",
      truncated: false,
    });
  });

  test("text that says the same as structuredContent counts once for either kind of client", () => {
    for (const client of ["claude-code", "Zed"]) {
      const found = record({ client, closing: { result: twice } });
      expect([found.wire_tokens, found.duplicate_tokens]).toEqual([5 + 6, 6]);
      expect(found.visible_tokens).toBe(client === "Zed" ? 6 : 5);
    }
  });

  test("a client that shows both pays for both", () => {
    const found = record({ client: "JetBrains-IU-copilot-intellij", closing: { result: twice } });
    expect(found).toMatchObject({ visible_tokens: 11, wire_tokens: 11, duplicate_tokens: 6 });
  });

  test("an error costs its code, its message and its data", () => {
    const error = { code: -32602, message: "No such tool", data: { name: "x" } };
    expect(record({ closing: { outcome: "rpc_error", error } }).output_tokens).toBe(2 + 4 + 4);
  });

  test("a cancelled call is charged nothing, its sizes and hashes stay", () => {
    const found = record({ closing: { outcome: "cancelled" } });
    expect(found).toMatchObject({
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
      input_bytes: 80,
    });
    expect(found.arguments_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(found.result_sha256).toBeNull();
  });

  const refusal = { content: [text("x".repeat(60))], isError: true };

  test("a refused call costs its arguments and the refusal, which is not a result", () => {
    expect(record({ closing: { outcome: "refused", result: refusal } })).toMatchObject({
      input_tokens: 7,
      output_tokens: 20,
      wire_tokens: 20,
      result_sha256: null,
      blocks: { text: 0 },
    });
  });

  test("a refused notification costs its arguments: nothing answers it", () => {
    expect(record({ closing: { outcome: "refused" } })).toMatchObject({
      input_tokens: 7,
      output_tokens: 0,
      wire_tokens: 0,
    });
  });

  const kept = [
    ["a result", { result: twice }, 5 + 6],
    ["an error", { error: { code: 1, message: "no such row" } }, 1 + 4],
    ["an answer too long to read", {}, 400 / 4],
  ] as const;
  for (const [name, replaced, wire] of kept) {
    test(`${name} that was withheld is on the wire, the model reads the refusal`, () => {
      const found = record({ closing: { outcome: "refused", result: refusal, replaced } });
      expect(found).toMatchObject({ output_tokens: 20, wire_tokens: wire, duplicate_tokens: 0 });
    });
  }

  test("of an answer that was cut the wire has the whole", () => {
    const replaced = { result: { content: [text("x".repeat(300))] } };
    const cut = { content: [text("x".repeat(60))] };
    const found = record({ closing: { result: cut, replaced } });
    expect(found).toMatchObject({ outcome: "ok", output_tokens: 20, wire_tokens: 100 });
    expect(found.result_sha256).toBe(sha256(JSON.stringify(cut)));
  });

  test("an abandoned call has asked, and that was paid", () => {
    expect(record({ closing: { outcome: "abandoned" } })).toMatchObject({
      input_tokens: 7,
      output_tokens: 0,
    });
  });

  test("what was not read is priced by its length, flagged, and trusted little", () => {
    const found = record({ truncated: true, closing: {} });
    expect(found).toMatchObject({
      input_tokens: 20,
      output_tokens: 100,
      wire_tokens: 100,
      truncated: true,
      is_estimated: true,
      confidence: "low",
      arguments_sha256: null,
    });
  });

  test("the same arguments have the same hash, others another", () => {
    const hashes = [{ q: 1 }, { q: 1 }, { q: 2 }].map(
      (args) => record({ params: { name: "a", arguments: args } }).arguments_sha256,
    );
    expect(hashes[0]).toBe(hashes[1] ?? "");
    expect(hashes[0]).not.toBe(hashes[2] ?? "");
  });

  test("an image is priced by its size and lowers no text", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const found = record({ closing: { result: { content: [text("abc"), image] } } });
    expect(found.blocks).toMatchObject({ text: 1, image: 1 });
    expect(found.output_tokens).toBeGreaterThan(100);
    expect(found.confidence).toBe("low");
  });

  test("of media an unknown client may show the base64, a known one does not", () => {
    const data = "A".repeat(4_000);
    const image = { type: "image", data, mimeType: "image/png" };
    const blob = {
      type: "resource",
      resource: { uri: "a://b", blob: data, mimeType: "image/png" },
    };
    const other = { type: "resource", resource: { uri: "a://b", blob: data } };
    for (const content of [[image], [blob], [other]]) {
      const { most_tokens: most = 0, input_tokens: input } = record({
        closing: { result: { content } },
        client: "golden-host",
      });
      expect(most - input).toBeWithin(4_000, 4_010);
      const known = record({ closing: { result: { content } }, client: "claude-code" });
      expect(known).not.toHaveProperty("most_tokens");
    }
    // Characters are the price of this estimator.
    const counted = record({
      closing: { result: { content: [image] } },
      tokenizer: "chars4",
      client: "golden-host",
    });
    expect(counted).not.toHaveProperty("most_tokens");
  });

  test("chars4 prices a content array by its characters, 40 and 20 a block", () => {
    const result = {
      content: [text("x".repeat(100)), { type: "image", data: "y".repeat(300), mimeType: "a/b" }],
    };
    const found = record({ tokenizer: "chars4", closing: { result } });
    expect(found).toMatchObject({ output_tokens: (100 + 300 + 40 + 2 * 20) / 4 });
  });

  test("a call that ended before it began took no time", () => {
    expect(record({ closing: { endedMs: 1 } }).duration_ms).toBe(0);
  });

  test("traffic that no model pays for is a protocol record", () => {
    const found = body({ method: "tools/list", params: {}, closing: { result: { tools: [] } } });
    expect(found).toMatchObject({ type: "protocol", method: "tools/list", output_tokens: 4 });
    expect(Object.keys(found)).not.toContain("tool");
  });

  const risks = [
    [3_000, "low"],
    [3_100, "medium"],
    [12_100, "high"],
    [24_100, "critical"],
  ] as const;
  for (const [characters, risk] of risks) {
    test(`an answer of ${characters} characters is ${risk}`, () => {
      const result = { content: [text("x".repeat(characters - 21))] };
      expect(record({ closing: { result } }).risk).toBe(risk);
    });
  }
});

describe("overhead", () => {
  const rows = Array.from({ length: 40 }, (_, id) => ({ id, name: "a rose" }));
  const content = [text(JSON.stringify(rows, null, 2))];

  test("of a long answer is measured, a cancelled one's and another method's is not", () => {
    const small = Math.ceil(JSON.stringify(rows).length / 3);
    expect(record({ closing: { result: { content } } }).overhead).toMatchObject({
      json_tokens: record({ closing: { result: { content } } }).output_tokens,
      minified_tokens: small,
    });
    const cancelled = { outcome: "cancelled", result: { content } } as const;
    expect(record({ closing: cancelled }).overhead).toBeNull();
    const prompt = { messages: [{ role: "user", content }] };
    expect(record({ method: "prompts/get", closing: { result: prompt } }).overhead).toBeNull();
  });

  test("of blocks meant only for the user is measured however short they are", () => {
    const forUser = { ...text("abcdef"), annotations: { audience: ["user"] } };
    const { overhead } = record({ closing: { result: { content: [forUser] } } });
    expect(overhead).toMatchObject({ user_only_tokens: 2, json_tokens: 0 });
  });
});
