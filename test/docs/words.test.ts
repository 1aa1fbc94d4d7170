import { describe, expect, test } from "bun:test";
import { commands } from "#commands/index.ts";
import { renderCommandHelp, renderProgramHelp } from "#commands/help.ts";
import { allSentences } from "../support/sentences.ts";
import { readTree, trackedPaths } from "../house/tree.ts";
import { documents, readDocument } from "./documents.ts";
import { proseOfDocument, proseOfSchema, proseOfSource } from "./prose.ts";
import { bannedIn, bannedWordings } from "./words.ts";

/** Rooms of `src/` whose texts are still to be rewritten; this list only becomes shorter. */

/** Documents that are still to be rewritten; this list only becomes shorter. */
const waitingDocuments: ReadonlySet<string> = new Set<string>();

function wingOf(path: string): string {
  return path.split("/")[1] ?? "";
}

const sources = Object.entries(
  readTree(trackedPaths().filter((path) => /^src\/.*\.(?:ts|json)$/.test(path))),
);

function linesOf(text: string): { line: number; text: string }[] {
  return text.split("\n").map((line, at) => ({ line: at + 1, text: line }));
}

const wings = [...new Set(sources.map(([path]) => wingOf(path)))].toSorted();

describe("a banned wording is found, and its neighbour is not:", () => {
  for (const { pattern, bad, good } of bannedWordings) {
    test(bad, () => {
      expect(bad).toMatch(pattern);
      expect(good).not.toMatch(pattern);
    });
  }
});

describe("prose is found in", () => {
  test("a source file: comments and literals of several words, without code", () => {
    const source = [
      "/** What is `code`\n * twice. */",
      "// told",
      "// once",
      'const a = "is told now", b = "short", c = `the ${x.map((y) => "z")} dearest call`;',
      'const r = /what\'s "told" here/;',
    ].join("\n");
    expect(proseOfSource(source)).toEqual([
      { line: 1, text: "What is X twice." },
      { line: 3, text: "told once" },
      { line: 5, text: "is told now" },
      { line: 5, text: "the X dearest call" },
    ]);
  });

  test("a schema: titles and descriptions", () => {
    const source = '{\n"title": "A",\n"properties": {"x": {"description": "what \\"it\\" is"}}}';
    expect(proseOfSchema(source)).toEqual([
      { line: 2, text: "A" },
      { line: 3, text: 'what \\"it\\" is' },
    ]);
  });

  test("a document: paragraphs, items, headings and cells, without code blocks", () => {
    const source = "# One\n\nTwo\ntwo `x`.\n\n```sh\ntold\n```\n\n- three\n- four\n\n| a | b |\n";
    const texts = proseOfDocument(source).map(({ text }) => text);
    expect(texts.filter((text) => text !== "")).toEqual([
      "# One",
      "Two two X.",
      "- three",
      "- four",
      "a",
      "b",
    ]);
    expect(bannedIn("d.md", proseOfDocument("Fine.\n\nIt is\ntold.\n"))).toEqual([
      'd.md:3: "told" in "…It is told.…"; write: print, report, say',
    ]);
  });
});

describe("no banned wording in", () => {
  const page = { columns: 120, color: false };

  for (const [name, command] of Object.entries(commands)) {
    test(`${name} --help`, async () => {
      const lines = linesOf(await renderCommandHelp(command, page));
      expect(bannedIn(`${name} --help`, lines)).toEqual([]);
    });
  }

  test("--help", async () => {
    const run = commands["run"] ?? expect.unreachable();
    const lines = linesOf(await renderProgramHelp(Object.values(commands), run, page));
    expect(bannedIn("--help", lines)).toEqual([]);
  });

  test("sentences", async () => {
    const said = (await allSentences()).map(([name, make]) => {
      const text: unknown = Reflect.apply(make, undefined, ["x", "x", "x"]);
      return bannedIn(name, [{ line: 1, text: String(text) }]);
    });
    expect(said.flat()).toEqual([]);
  });

  for (const wing of wings) {
    test(`src/${wing}`, () => {
      const found = sources
        .filter(([path]) => wingOf(path) === wing)
        .flatMap(([path, text]) =>
          bannedIn(path, path.endsWith(".json") ? proseOfSchema(text) : proseOfSource(text)),
        );
      expect(found).toEqual([]);
    });
  }

  for (const path of documents().filter((name) => !waitingDocuments.has(name))) {
    test(path, () => {
      expect(bannedIn(path, proseOfDocument(readDocument(path)))).toEqual([]);
    });
  }
});

test("only documents that exist wait", () => {
  expect([...waitingDocuments].filter((path) => !documents().includes(path))).toEqual([]);
});
