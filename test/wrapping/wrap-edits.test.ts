import { expect, test } from "bun:test";
import { partsOfJson } from "#syntax/jsonc.ts";
import { applyEdits } from "#wrapping/edit.ts";
import { layoutAt } from "#wrapping/entry-layout.ts";
import { wrapEdits } from "#wrapping/wrap-edits.ts";

function wrapped(text: string): string | undefined {
  const root = partsOfJson(text);
  if ("fault" in root) throw new Error(root.fault);
  const layout = layoutAt(root, [], "command");
  if (typeof layout === "string") throw new Error(layout);
  const settings = { text, language: "json" } as const;
  const edits = wrapEdits(settings, layout, ["m", "--"]);
  return edits && applyEdits(text, edits);
}

test("the literal of the command travels as it is written", () => {
  expect(wrapped('{"command":"\\u0061\\/b"}')).toBe('{"command":"m","args":["--","\\u0061\\/b"]}');
  expect(wrapped('{"args": ["a"], "command":"b"}')).toBe(
    '{"args": ["--", "b", "a"], "command":"m"}',
  );
});
