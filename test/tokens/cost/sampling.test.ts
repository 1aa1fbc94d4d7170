import { describe, expect, test } from "bun:test";
import { describeSampling, listMessageBlocks, toBlocks } from "#tokens/cost/sampling.ts";
import { pngOf } from "../../support/png.ts";

const text = (of: string) => ({ type: "text", text: of });
const image = (width: number, height: number) => ({
  type: "image",
  data: pngOf(width, height),
  mimeType: "image/png",
});
const messages = (...content: readonly unknown[]) => ({
  messages: content.map((block) => ({ role: "user", content: block })),
});

describe("describeSampling", () => {
  test("texts are input, images and sounds are media with their size", () => {
    const sound = { type: "audio", data: "AAAA", mimeType: "audio/wav" };
    const params = { systemPrompt: "Be brief", ...messages(text("Hi"), [image(640, 480), sound]) };
    expect(describeSampling(params)).toMatchObject({
      input: ["Be brief", "Hi"],
      media: [{ kind: "image", size: { width: 640, height: 480 } }, { kind: "audio" }],
    });
  });

  test("an image holds none of its bytes", () => {
    const { media } = describeSampling(messages(image(640, 480)));
    expect(JSON.stringify(media).length).toBeLessThan(100);
  });

  test("the blocks of a tool's result count, its image by its size", () => {
    const result = { type: "tool_result", toolUseId: "1", content: [text("Rain"), image(64, 32)] };
    const { input, media } = describeSampling(messages(result));
    expect(input).toEqual(["", '{"type":"tool_result","toolUseId":"1"}', "Rain"]);
    expect(media).toMatchObject([{ kind: "image", size: { width: 64, height: 32 } }]);
  });

  test("other blocks are their type or their JSON", () => {
    const resource = { type: "resource", mimeType: "text/plain", _meta: { a: 1 } };
    const use = { type: "tool_use", id: "1", name: "f", input: { q: 1 }, _meta: { a: 1 } };
    const { input, media } = describeSampling(messages([resource, use], { type: "image" }));
    const json = '{"type":"tool_use","id":"1","name":"f","input":{"q":1}}';
    expect(input).toEqual(["", "text/plain", json, '{"type":"image"}']);
    expect(media).toEqual([]);
  });

  test.each([[undefined], [null], [7], [[]], [{ messages: "none" }], [{ messages: [null, {}] }]])(
    "%j is nothing to read",
    (params) => {
      expect(describeSampling(params)).toEqual({ input: [""], media: [] });
    },
  );
});

test("content is one block or several", () => {
  expect([toBlocks(undefined), toBlocks("a"), toBlocks(["a"])]).toEqual([[], ["a"], ["a"]]);
  expect(listMessageBlocks(messages("a", ["b", "c"]))).toEqual(["a", "b", "c"]);
});
