import { describe, expect, test } from "bun:test";
import { overheadCharactersMin } from "#tokens/cost/answer-overhead/overhead.ts";
import { composeItems } from "#tokens/cost/visibility.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import { shown } from "../../../support/client-reads.ts";

const text = (of: string): Part => ({ kind: "text", text: of, block: { type: "text", text: of } });
const framed = (length: number) => ["<", text("x".repeat(length)), ">"];
const image: Part = { kind: "image", size: { width: 2, height: 1 }, bytes: 3 };

describe("compose", () => {
  test("leaves texts of their own as they are", () => {
    const [a, b] = [text("a"), text("b")];
    expect(composeItems([[a], [b]], null)).toEqual([a, b]);
    expect(composeItems([[a], [b]], null)[0]).toBe(a);
  });

  test("joins texts, not media", () => {
    expect(shown(composeItems([[text("a")], [image], ["b"], [text("c")]], "\n"))).toEqual([
      "a",
      "image 2×1",
      "b\nc",
    ]);
  });

  test("prices a short text as one, and leaves the parts of a long one alone", () => {
    expect(composeItems([framed(overheadCharactersMin - 3)], null)).toHaveLength(1);
    expect(composeItems([framed(overheadCharactersMin - 2)], null)).toHaveLength(3);
  });

  test("leaves a text for the user alone, whose tokens are overhead", () => {
    const block = { type: "text", text: "b", annotations: { audience: ["user"] } };
    const forUser: Part = { kind: "text", text: "b", block };
    expect(shown(composeItems([["a", forUser, "c", "d"]], null))).toEqual(["a", "b", "cd"]);
  });

  test("leaves out what is empty", () => {
    expect(composeItems([["", ""], []], "\n")).toEqual([]);
  });
});
