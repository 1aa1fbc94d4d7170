import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { SyntaxNode } from "#kit/syntax/syntax-tree.ts";
import { parseTomlTree } from "#kit/syntax/toml.ts";

function parseRoot(text: string): SyntaxNode {
  const root = parseTomlTree(text);
  if ("fault" in root) throw new Error(root.fault);
  return root;
}

function shape(part: SyntaxNode, text: string): unknown {
  if (part.kind === "map")
    return part.members.map(({ name, node: child }) => [name, shape(child, text)]);
  if (part.kind === "list") return part.items.map(({ node: child }) => shape(child, text));
  return part.kind === "text" ? part.value : { source: text.slice(part.start, part.end) };
}

test("tables, dotted keys and inline tables are one tree", () => {
  const text = `top = 1.0\n[a.b]\nc.d = "x"\n[a]\ne = { f.g = 'y' }\n[[h]]\ni = [1, "2"]\n[[h]]\n`;
  expect(shape(parseRoot(text), text)).toEqual([
    ["top", { source: "1.0" }],
    [
      "a",
      [
        ["b", [["c", [["d", "x"]]]]],
        ["e", [["f\u0000g", "y"]]],
      ],
    ],
    ["h", [[["i", [{ source: "1" }, "2"]]], []]],
  ]);
});

test("a key has the place of all keys of its line, and of the last", () => {
  const [a] = parseRoot(' a . "b" = 1').members;
  expect(a?.node.members).toMatchObject([{ name: "b", start: 1, lastKeyStart: 5 }]);
});

test("__proto__ is a name as any other", () => {
  const text = "__proto__.x = 1\n[__proto__.y]\n";
  expect(parseRoot(text).members.map(({ name }) => name)).toEqual(["__proto__"]);
  expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
});

test("mistakes have a place, and hostile nesting is one", () => {
  expect(parseTomlTree("a = 1\na = 2")).toEqual({ fault: "not valid TOML", offset: 6 });
  expect(parseTomlTree("a = ")).toMatchObject({ fault: "not valid TOML" });
  const deep = `a = ${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  expect(parseTomlTree(deep)).toMatchObject({ fault: "nested too deeply" });
});

test("any text is a tree or has a mistake", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."[ ] { } = . , \" ' ''' # \n \\ \\u0041 a __proto__ 1 [[a]] [a.b] a=1".split(" "),
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
    fc.uint8Array({ maxLength: 8 }).map((bytes) => new TextDecoder().decode(bytes)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(parseTomlTree(pieces.join(""))).toBeObject();
    }),
    { numRuns: 5_000 },
  );
});
