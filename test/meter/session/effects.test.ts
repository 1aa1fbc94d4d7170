import { describe, expect, test } from "bun:test";
import {
  type Effects,
  withhold,
  mergeBatchEffects,
  noEffects,
  mergeEffects,
} from "#meter/session/decider.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";

const ours = (text: string) => bytesOf(`${text}\n`);
const texts = ({ toClient, toServer }: Effects) => [toClient.map(textOf), toServer.map(textOf)];

const event = (from: "client" | "server", text: string) => {
  const bytes = bytesOf(text);
  const line = { bytes, size: bytes.length, skim: undefined };
  return { kind: "line", from, line, at: { wallMs: 0, monoMs: 0 } } as const;
};

describe("together", () => {
  test("of nothing that matters is the effect of passing", () => {
    expect(mergeEffects([])).toBe(noEffects);
    expect(mergeEffects([noEffects, noEffects])).toBe(noEffects);
    const kept = withhold();
    expect(mergeEffects([noEffects, kept])).toBe(kept);
  });

  test("keeps a message back when one of them does, and adds all lines in order", () => {
    const all = mergeEffects([
      withhold(ours("a")),
      noEffects,
      { ...noEffects, toServer: [ours("b")] },
    ]);
    expect(all.passes).toBe(false);
    expect(texts(all)).toEqual([["a\n"], ["b\n"]]);
  });
});

describe("onBatch", () => {
  test("a batch of which all elements pass, passes as it is", () => {
    expect(mergeBatchEffects([noEffects, noEffects], false, event("client", "[1,2]\n"))).toBe(
      noEffects,
    );
  });

  test("of a batch whose elements are kept back nothing goes on", () => {
    const all = mergeBatchEffects(
      [withhold(ours("x")), withhold()],
      false,
      event("client", "[1,2]\n"),
    );
    expect([all.passes, texts(all)]).toEqual([false, [["x\n"], []]]);
  });

  test("the elements that pass go on as a line of their own, to the other end", () => {
    const items = [noEffects, withhold(ours("x")), noEffects];
    const up = mergeBatchEffects(items, false, event("client", "[1, 2 ,3]\n"));
    expect(texts(up)).toEqual([["x\n"], ["[1,3]\n"]]);
    const down = mergeBatchEffects(items, false, event("server", "[1,2,3]\n"));
    expect(texts(down)).toEqual([["x\n", "[1,3]\n"], []]);
  });

  test("elements beyond those that were looked at pass", () => {
    const all = mergeBatchEffects([withhold()], true, event("client", "[1,2]\n"));
    expect(texts(all)).toEqual([[], ["[2]\n"]]);
  });
});
