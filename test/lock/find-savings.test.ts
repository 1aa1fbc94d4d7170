import { expect, test } from "bun:test";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { savingTokensMin, findSavings } from "#lock/find-savings.ts";
import { plainReader } from "../support/plain-reader.ts";

const reader = plainReader(undefined, "words");

const hash = (text: string): string => `#${text.length}`;
const terms = { reader, thresholds: riskThresholdsDefault, hash };

type Tool = Readonly<Record<string, unknown>>;

function priced(tools: readonly Tool[]) {
  return estimateDefinitions({ tools, instructions: "Instructions." }, reader, hash);
}

function savings(...tools: readonly Tool[]) {
  const server = { name: "s", version: null, protocol_version: null, era: null };
  const lists = { prompts: [], resources: [], resourceTemplates: [] };
  const listing = { server, instructions: "Instructions.", tools, ...lists };
  return findSavings(listing, priced(tools), terms);
}

const words = (count: number): string => Array(count).fill("word").join(" ");
const plain = (name: string, schema: object = {}, description = "") => ({
  name,
  description,
  inputSchema: { type: "object", ...schema },
});

test("findSavings: leaving out $schema saves the difference of two prices", () => {
  const dialect = { $schema: "http://json-schema.org/draft-07/schema#" };
  const tools = ["a", "b", "c"].map((name) => plain(name, dialect));
  const saved =
    priced(tools).total_tokens - priced(["a", "b", "c"].map((n) => plain(n))).total_tokens;
  expect(saved).toBeGreaterThan(savingTokensMin);
  expect(savings(...tools, plain("d"))).toMatchObject([
    { kind: "schema_dialect", tokens: saved, tools: ["a", "b", "c"], text: "drop $schema" },
  ]);
});

const titled = (name: string) => ({ properties: { [name]: { title: name, type: "string" } } });

test("findSavings: the largest first, each with its share", () => {
  const tools = [
    ...["file_path", "sheet_name", "start_cell", "end_cell", "data_only", "cell_range"].map(
      (name) => plain(name, titled(name)),
    ),
    plain("long", {}, words(260)),
  ];
  const found = savings(...tools);
  expect(found.map(({ kind, tools: names }) => [kind, names.length])).toEqual([
    ["long_description", 1],
    ["name_title", 6],
  ]);
  expect(found[0]?.tokens).toBe(100);
  expect(found[0]?.percent_total).toBeCloseTo((100 / priced(tools).total_tokens) * 100, 1);
});

test("findSavings: a text of three tools is paid twice too often, one of two tools is not named", () => {
  const described = { properties: { owner: { description: words(30) } } };
  expect(savings(plain("a", described), plain("b", described))).toEqual([]);
  const found = savings(
    plain("a", described),
    plain("b"),
    plain("c", described),
    plain("d", described),
  );
  expect(found).toMatchObject([{ kind: "repeated_text", tokens: 60, tools: ["a", "c", "d"] }]);
});

test("findSavings names nothing below savingTokensMin, or without tools", () => {
  expect(savings(plain("a", {}, words(160 + savingTokensMin - 1)))).toEqual([]);
  expect(savings(plain("a", {}, words(160 + savingTokensMin)))).toHaveLength(1);
  expect(savings()).toEqual([]);
});
