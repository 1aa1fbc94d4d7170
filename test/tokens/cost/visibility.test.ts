import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { clientExamples } from "#tokens/cost/client-profiles/recognize-client.ts";
import { describeToolResult } from "#tokens/cost/visibility.ts";
import type { Part } from "#tokens/cost/client-profiles/block.ts";
import { cpuMs } from "../../support/measure.ts";
import { readAs } from "../../support/readings.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAAAElFTkSuQmCC";
const text = (of: string) => ({ type: "text", text: of });
const image = { type: "image", data: png, mimeType: "image/png" };
const structured = { rows: [1, 2], ok: true };
const compact = '{"rows":[1,2],"ok":true}';

function shown(parts: readonly Part[]): readonly string[] {
  return parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "audio") return `audio of ${part.seconds ?? "unknown"} s`;
    return part.size ? `image ${part.size.width}×${part.size.height}` : "image of unread size";
  });
}

const prose = text("Two rows");
const twin = text(JSON.stringify(structured, null, 2));

const rows: readonly (readonly [what: string, result: unknown, visible: readonly string[]])[] = [
  ["content absent", { structuredContent: structured }, [compact]],
  ["nothing", { content: [], resultType: "complete" }, []],
  ["an older result", { toolResult: { a: 1 } }, ['{"toolResult":{"a":1}}']],
  ["content of no list", { content: "text" }, ['{"content":"text"}']],
  ["no object", [1], ["[1]"]],
  ["null", null, ["null"]],
  ["no result", undefined, []],
];

describe("describeToolResult", () => {
  test.each(rows)("visible of %s", (_what, result, visible) => {
    expect(shown(describeToolResult(result, readAs("Zed")).visible)).toEqual([...visible]);
  });

  test.each(["Visual Studio Code", "codex", "Zed", "JetBrains-IU-copilot-intellij"])(
    "for %s the wire holds both, and the text that says the same is a duplicate",
    (client) => {
      const result = {
        content: [twin, prose, image],
        structuredContent: structured,
        _meta: { a: 1 },
      };
      const { wire, duplicate, visible } = describeToolResult(result, readAs(client));
      expect(shown(wire)).toEqual([twin.text, "Two rows", "image 640×480", compact]);
      expect(shown(duplicate)).toEqual([twin.text]);
      expect(duplicate.every((part) => wire.includes(part))).toBe(true);
      expect(visible.every((part) => wire.includes(part))).toBe(true);
    },
  );

  test("structured content of a plain text is its JSON, and that JSON the duplicate", () => {
    const result = { content: [text('"a"'), text("a")], structuredContent: "a" };
    expect(shown(describeToolResult(result, readAs("Zed")).duplicate)).toEqual(['"a"']);
  });

  test("any JSON value has parts, whatever the client", () => {
    const block = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom("text", "image", "audio", "resource", "resource_link", "video"),
        text: fc.jsonValue(),
        data: fc.oneof(fc.jsonValue(), fc.base64String()),
        resource: fc.oneof(
          fc.jsonValue(),
          fc.record({ uri: fc.jsonValue(), blob: fc.base64String(), mimeType: fc.jsonValue() }),
        ),
        mimeType: fc.jsonValue(),
        name: fc.jsonValue(),
      }),
    );
    const result = fc.oneof(
      fc.jsonValue(),
      fc.record({ content: fc.array(block), structuredContent: fc.jsonValue() }),
    );
    const client = fc.constantFrom(...clientExamples, "Zed");
    fc.assert(
      fc.property(result, client, (raw, name) => {
        const { visible, wire, duplicate } = describeToolResult(raw, readAs(name));
        const parts = new Set(wire);
        expect(duplicate.every((part) => parts.has(part))).toBe(true);
        expect(visible.length).toBeLessThan(1_000);
      }),
      { numRuns: 500 },
    );
  });

  test("many small blocks beside one large value are read in linear time", async () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, key) => [`k${key}`, key]));
    const content = Array.from({ length: 10_000 }, () => text("{}"));
    const profile = readAs("Zed");
    const spent = await cpuMs(() =>
      describeToolResult({ content, structuredContent: wide }, profile),
    );
    expect(spent).toBeLessThan(1000);
  });
});
