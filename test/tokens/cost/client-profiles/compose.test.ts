import { describe, expect, test } from "bun:test";
import { overheadCharactersMin } from "#tokens/cost/overhead/overhead.ts";
import { composeTexts } from "#tokens/cost/visibility.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import { shown } from "../../../support/client-reads.ts";

const text = (of: string): Part => ({ kind: "text", text: of, block: { type: "text", text: of } });
const framed = (length: number) => ["<", text("x".repeat(length)), ">"];
const image: Part = { kind: "image", size: { width: 2, height: 1 }, bytes: 3 };

describe("compose", () => {
  test("leaves texts of their own as they are", () => {
    const [a, b] = [text("a"), text("b")];
    expect(composeTexts([[a], [b]], null)).toEqual([a, b]);
    expect(composeTexts([[a], [b]], null)[0]).toBe(a);
  });

  test("joins texts, not media", () => {
    expect(shown(composeTexts([[text("a")], [image], ["b"], [text("c")]], "\n"))).toEqual([
      "a",
      "image 2×1",
      "b\nc",
    ]);
  });

  test("prices a short text as one, and leaves the parts of a long one alone", () => {
    expect(composeTexts([framed(overheadCharactersMin - 3)], null)).toHaveLength(1);
    expect(composeTexts([framed(overheadCharactersMin - 2)], null)).toHaveLength(3);
  });

  test("leaves a text for the user alone, whose tokens are overhead", () => {
    const block = { type: "text", text: "b", annotations: { audience: ["user"] } };
    const forUser: Part = { kind: "text", text: "b", block };
    expect(shown(composeTexts([["a", forUser, "c", "d"]], null))).toEqual(["a", "b", "cd"]);
  });

  test("leaves out what is empty", () => {
    expect(composeTexts([["", ""], []], "\n")).toEqual([]);
  });
});
