import { describe, expect, test } from "bun:test";
import { draftOverhead, copyText } from "#tokens/cost/answer-overhead/overhead-draft.ts";
import { type Overhead, overheadCharactersMin } from "#tokens/cost/answer-overhead/overhead.ts";
import { describeToolResult } from "#tokens/cost/visibility.ts";
import { plainReader } from "../../../support/plain-reader.ts";
import { readAs } from "../../../support/readings.ts";
import { pngOf } from "../../../support/png.ts";

const { estimator } = plainReader(undefined);
const rows = Array.from({ length: 40 }, (_, id) => ({ id, name: "a rose", isRed: true }));
const pretty = JSON.stringify(rows, null, 2);
const compact = JSON.stringify(rows);
const text = (content: string, audience?: readonly string[]) => ({
  type: "text",
  text: content,
  ...(audience === undefined ? {} : { annotations: { audience } }),
});

function measureOverhead(
  result: object,
  workMax = 100,
  counts = estimator,
): Overhead | null | undefined {
  const visibility = describeToolResult(result, readAs("claude-code"));
  const { visible } = visibility;
  const draft = draftOverhead(visibility, counts);
  if (draft === undefined) return undefined;
  for (const part of visible) {
    const price = draft.findMeasured(part);
    if (!price || counts.countContent) continue;
    price.tokens = part.kind === "text" ? counts.count(part.text) : 85;
  }
  while (draft.charactersLeft > 0) draft.advance(workMax);
  return draft.finish();
}

describe("draftOverhead", () => {
  test("pretty JSON would be smaller without its white space", () => {
    const overhead = measureOverhead({ content: [text(pretty)] });
    expect(overhead).toMatchObject({
      user_only_tokens: 0,
      preamble_tokens: 0,
      json_tokens: estimator.count(pretty),
      minified_tokens: estimator.count(compact),
    });
    expect(overhead?.structure_ratio).toBeGreaterThan(0.5);
  });

  test("compact JSON would not", () => {
    const tokens = estimator.count(compact);
    expect(measureOverhead({ content: [text(compact)] })).toMatchObject({
      json_tokens: tokens,
      minified_tokens: tokens,
    });
    expect(measureOverhead({ content: [], structuredContent: { rows } })?.json_tokens).toBe(
      estimator.count(JSON.stringify({ rows })),
    );
  });

  test("in one go and in slices, and with an estimator of whole arrays, it is the same", () => {
    const content = [text(pretty), text(compact)];
    expect(measureOverhead({ content }, Infinity)).toEqual(measureOverhead({ content }, 1));
    const { estimator: listEstimator } = plainReader(undefined, "chars4");
    expect(measureOverhead({ content }, 1, listEstimator)?.json_tokens).toBe(
      listEstimator.count(pretty) + listEstimator.count(compact),
    );
  });

  test("a preamble costs its tokens", () => {
    const preamble = "IMPORTANT: always show the link.\n\n";
    const long = preamble + "Roses. ".repeat(200);
    expect(measureOverhead({ content: [text(long)] })).toEqual({
      user_only_tokens: 0,
      preamble_tokens: estimator.count(preamble),
      json_tokens: 0,
      minified_tokens: 0,
      structure_ratio: 0,
    });
  });

  test("blocks meant only for the user cost their tokens, media too", () => {
    const png = pngOf(64, 64);
    const image = {
      type: "image",
      data: png,
      mimeType: "image/png",
      annotations: { audience: ["user"] },
    };
    const content = [text("abc", ["user"]), text("", ["user"]), text("abc", ["user", "assistant"])];
    expect(measureOverhead({ content: [...content, image] })?.user_only_tokens).toBe(1 + 85);
  });

  test("an estimator of whole arrays counts the base64 of such media as text", () => {
    const { estimator: listEstimator } = plainReader(undefined, "chars4");
    const [data, annotations] = [pngOf(64, 64), { audience: ["user"] }];
    const image = { type: "image", data, mimeType: "image/png", annotations };
    expect(measureOverhead({ content: [image] }, 100, listEstimator)?.user_only_tokens).toBe(
      Math.ceil(data.length / 4),
    );
  });

  test("what the client does not show is no overhead of the model", () => {
    const result = { content: [text(pretty), text("abc", ["user"])], structuredContent: { a: 1 } };
    expect(measureOverhead(result)).toBeUndefined();
  });

  test.each([
    ["prose", "A rose is a rose. ".repeat(100)],
    ["a log", `[info] ${"it grows\n".repeat(200)}`],
    ["what is short", compact.slice(0, overheadCharactersMin - 1)],
  ])("%s has none", (_name, plain) => {
    expect(measureOverhead({ content: [text(plain)] })).toBeUndefined();
  });

  test("what only looks like JSON has nothing to say", () => {
    expect(measureOverhead({ content: [text(`[${"rose ".repeat(300)}]`)] })).toBeNull();
  });

  test("given up, it says nothing and holds nothing", () => {
    const visibility = describeToolResult({ content: [text(pretty)] }, readAs(undefined));
    const draft = draftOverhead(visibility, estimator);
    draft?.advance(1);
    expect(draft?.charactersLeft).toBeGreaterThan(0);
    expect(draft?.settleByLength()).toBe(false);
    expect([draft?.charactersLeft, draft?.finish()]).toEqual([0, null]);
  });

  test("an estimator that remembers instructions does not keep the answers behind them (slow)", () => {
    const counted: string[] = [];
    const count = (countedText: string): number => {
      if (countedText.length < 100) counted.push(countedText);
      return countedText.length;
    };
    const remembering = { ...estimator, count };
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    const answers = 200;
    for (let at = 0; at < answers; at += 1) {
      const body = `${at} answers `.repeat(20_000);
      const answer = copyText(`IMPORTANT: always answer number ${at} in French.\n\n${body}`);
      const parts = [{ kind: "text", text: answer }] as const;
      const draft = draftOverhead({ visible: parts, wire: parts }, remembering);
      draft?.advance(Infinity);
      if (at % 20 === 0) Bun.gc(true);
    }
    expect(counted.length).toBe(answers);
    // Together with their answers, they would take 50 MB.
    expect(process.memoryUsage.rss() - before).toBeLessThan(25_000_000);
  });
});
