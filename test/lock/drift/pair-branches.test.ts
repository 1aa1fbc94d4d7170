import { expect, test } from "bun:test";
import { branchesPairedMax } from "#limits/definitions.ts";
import { pairAlike } from "#lock/drift/pair-branches.ts";

const dog = { properties: { kind: { const: "dog" }, age: { type: "number" } } };
const cat = { properties: { kind: { const: "cat" }, lives: { type: "number" } } };
const [oldDog, oldCat] = [
  { ...dog, title: "Old dog" },
  { ...cat, title: "Old cat" },
];

test("pairAlike pairs what has most in common, in whichever order", () => {
  expect(pairAlike([dog, cat], [oldCat, oldDog])).toEqual({
    matched: [
      [dog, oldDog],
      [cat, oldCat],
    ],
    lost: [],
    gained: [],
  });
});

test("pairAlike leaves the least alike alone, and pairs strangers in their order", () => {
  expect(pairAlike([dog, cat], [oldCat])).toEqual({
    matched: [[cat, oldCat]],
    lost: [dog],
    gained: [],
  });
  expect(pairAlike([{ a: 1 }, { b: 1 }], [{ c: 1 }, { d: 1 }, { e: 1 }])).toEqual({
    matched: [
      [{ a: 1 }, { c: 1 }],
      [{ b: 1 }, { d: 1 }],
    ],
    lost: [],
    gained: [{ e: 1 }],
  });
});

test("pairAlike pairs lists beyond a limit in their order", () => {
  const side = Math.sqrt(branchesPairedMax);
  const many = Array.from({ length: side }, (_, at) => ({ const: at }));
  const others = many.map((one) => ({ ...one, title: "T" }));
  const [last] = pairAlike(many, others.toReversed()).matched.slice(-1);
  expect(last).toEqual([{ const: side - 1 }, { const: side - 1, title: "T" }]);
  const [first] = pairAlike([...many, { const: side }], others.toReversed()).matched;
  expect(first).toEqual([{ const: 0 }, { const: side - 1, title: "T" }]);
});
