import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type CountOptions, count, type CountChoice, countText } from "#commands/count/command.ts";
import { capturedIo } from "../../support/io.ts";
import { scratch } from "../../support/replay.ts";
import { type EstimatorId, estimatorIds } from "#tokens/estimators/ids.ts";
import { type EstimatorChoice, resolveEstimator } from "#tokens/estimators/index.ts";
import { tiktoken } from "../../tokens/estimators/support/counters.ts";

const folder = scratch();
const hello = folder.write("hello.txt", "hello world");
const empty = folder.write("empty.txt", "");
const broken = join(folder.path, "broken.bin");
await Bun.write(broken, Uint8Array.of(0x68, 0x69, 0x00, 0xff, 0xfe));

async function counted(options: Partial<CountOptions>, ...files: readonly string[]) {
  const io = capturedIo();
  const defaults = {
    tokenizer: "auto",
    model: undefined,
    tokensMax: undefined,
    exactModel: undefined,
  } as const;
  const ending = await count(
    { ...defaults, format: "table", output: undefined, isWide: false, files, ...options },
    io,
  );
  return { ...io.written, ending };
}

describe("count", () => {
  test("prints only the number for one file", async () => {
    expect(await counted({ tokenizer: "o200k" }, hello)).toEqual({
      stdout: "2\n",
      stderr: "",
      ending: { code: 0 },
    });
    expect((await counted({}, empty)).stdout).toBe("0\n");
  });

  test("prints a table with a total for several files", async () => {
    const { stdout } = await counted({ tokenizer: "cl100k" }, hello, hello);
    expect(stdout).toContain("2 files\n");
    expect(stdout).toMatch(/^total +4 +22$/m);
  });

  test("says in JSON how the numbers were made", async () => {
    const { stdout } = await counted({ format: "json", model: "claude-opus-5" }, hello, broken);
    expect(JSON.parse(stdout)).toMatchObject({
      inputs: [
        { file: hello, tokens: 3, bytes: 11, is_utf8: true },
        { file: broken, bytes: 5, is_utf8: false },
      ],
      estimator: "claude",
      method: "bpe-scaled",
      confidence: "medium",
      is_estimated: true,
    });
  });

  test("counts bytes that are not valid UTF-8, and says so", async () => {
    const { stdout, stderr } = await counted({ tokenizer: "chars3" }, broken);
    expect([
      stdout,
      stderr.includes("is not valid UTF-8; invalid bytes are counted as U+FFFD"),
    ]).toEqual(["2\n", true]);
  });

  test("says whether a list of tools was counted as definitions or as text", async () => {
    const tools = [{ name: "ping", inputSchema: { type: "object" } }];
    const list = folder.write("tools.json", { tools });
    const forModel = await counted({ model: "gpt-4o" }, list);
    // ping {"type":"object"}
    expect(forModel.stdout).toBe("6\n");
    expect(forModel.stderr).toBe(
      `mcp-meter: "${list}" is a list of tools: its definitions are counted by o200k, as in "mcp-meter profile"\n`,
    );
    const byFormula = await counted({ tokenizer: "claude" }, list);
    expect(byFormula.stderr).toContain("with the formula of claude");
    const asText = await counted({ tokenizer: "o200k" }, list);
    expect(asText.stderr).toBe(
      `mcp-meter: "${list}" is a list of tools, counted as plain text; add --model to count its definitions, as "mcp-meter profile" does\n`,
    );
  });

  test("calls a text exact, and definitions an estimate, because a client adds to them", async () => {
    const list = folder.write("tools.json", { tools: [{ name: "ping", inputSchema: {} }] });
    const json = { format: "json", model: "gpt-4o" } as const;
    const exact = { confidence: "high", is_estimated: false };
    const estimated = { confidence: "medium", is_estimated: true };
    expect(JSON.parse((await counted(json, hello)).stdout)).toMatchObject(exact);
    expect(JSON.parse((await counted(json, list)).stdout)).toMatchObject(estimated);
    expect(JSON.parse((await counted(json, hello, list)).stdout)).toMatchObject(estimated);
  });

  test("ends with 1 over the limit, with the number still on stdout", async () => {
    const at = await counted({ tokenizer: "o200k", tokensMax: 2 }, hello);
    const over = await counted({ tokenizer: "o200k", tokensMax: 3 }, hello, hello);
    expect([at.ending, at.stderr]).toEqual([{ code: 0 }, ""]);
    expect(over.ending).toEqual({ code: 1 });
    expect(over.stderr).toBe("mcp-meter: Over --max-total 3: the input has 4 tokens\n");
    expect(over.stdout).not.toBe("");
  });

  test("refuses a missing file before anything is printed", async () => {
    const refused = counted({}, hello, join(folder.path, "nowhere"));
    expect(await refused.catch(String)).toContain(": no such file or directory");
  });
});

const tools = [{ name: "ping", description: "Pong", inputSchema: { type: "object" } }];
const list = JSON.stringify({ tools });

function counting(choice: EstimatorChoice): CountChoice {
  const isTokenizerAlone = choice.tokenizer !== "auto" && choice.model === undefined;
  return { ...resolveEstimator(choice, tiktoken), isTokenizerAlone };
}

const definitions: { readonly [id in EstimatorId]: number } = {
  // ping, Pong, {"type":"object"}
  o200k: 1 + 2 + 5,
  cl100k: 1 + 2 + 5,
  gemini: 1 + 2 + 5,
  // {"name":"ping" is 5 tokens, ,"description":"Pong" 6 with 2 in the description, ,"inputSchema":{"type":"object"}} 8.
  claude: 290 + Math.round(1.86 * 5) + Math.round(1.86 * 4 + 1.6 * 2) + Math.round(1.86 * 8),
  "claude-legacy": 497 + Math.round(1.18 * 5) + Math.round(1.18 * 6) + Math.round(1.18 * 8),
  chars4: 1 + 1 + 5,
  "chars3.5": 2 + 2 + 5,
  chars3: 2 + 2 + 6,
  words: 1 + 1 + 5,
};

describe("countText prices a list of tools as definitions", () => {
  test.each(estimatorIds)("for a model, under %s", (tokenizer) => {
    expect(countText(list, counting({ tokenizer, model: "gpt-5" }))).toEqual({
      tokens: definitions[tokenizer],
      countedAs: "definitions",
    });
  });

  test("without any choice, and by an estimator that has a formula for them", () => {
    for (const [tokenizer, id] of [
      ["auto", "o200k"],
      ["claude", "claude"],
      ["claude-legacy", "claude-legacy"],
    ] as const) {
      expect(countText(list, counting({ tokenizer }))).toEqual({
        tokens: definitions[id],
        countedAs: "definitions",
      });
    }
  });
});

test("countText counts the text of a list for a vocabulary or a ratio that is named alone", () => {
  for (const tokenizer of ["o200k", "cl100k", "gemini", "chars4", "words"] as const) {
    const choice = counting({ tokenizer });
    const tokens = choice.estimator.count(list);
    expect(countText(list, choice)).toEqual({ tokens, countedAs: "list-as-text" });
  }
});

test("countText counts any other text as text", () => {
  for (const tokenizer of ["auto", "claude"] as const) {
    const choice = counting({ tokenizer });
    const tokens = choice.estimator.count("hello");
    expect(countText("hello", choice)).toEqual({ tokens, countedAs: "text" });
  }
});
