import { expect, test } from "bun:test";
import { partsOfJson } from "#syntax/jsonc.ts";
import { applyEdits } from "#wrapping/edit.ts";
import { layoutAt } from "#wrapping/entry-layout.ts";
import { unwrapEdits } from "#wrapping/unwrap-edits.ts";

function unwrapped(text: string, count: number): string | undefined {
  const root = partsOfJson(text);
  if ("fault" in root) throw new Error(root.fault);
  const layout = layoutAt(root, [], "command");
  if (typeof layout === "string") throw new Error(layout);
  const settings = { text, language: "json" } as const;
  const edits = unwrapEdits(settings, layout, count);
  return edits && applyEdits(text, edits);
}

test("the word behind the front becomes the command, as it is written", () => {
  expect(unwrapped('{"command":"m","args":["--","\\u0061",  "b"]}', 2)).toBe(
    '{"command":"\\u0061","args":["b"]}',
  );
});

test("a list that is made as by wrap goes, another one stays", () => {
  expect(unwrapped('{"command":"m","args":["--","a"]}', 2)).toBe('{"command":"a"}');
  expect(unwrapped('{"command":"m","args":["--", "a"]}', 2)).toBe('{"command":"a","args":[]}');
  expect(unwrapped('{"command":"m", "args":["--","a"]}', 2)).toBe('{"command":"a", "args":[]}');
});

test("a list that a client has laid out since is left without its lines", () => {
  expect(unwrapped('{"command":"m","args":[\n  "--",\n  "a"\n]}', 2)).toBe(
    '{"command":"a","args":[]}',
  );
  expect(unwrapped('{"command":"m","args":[\n  "--",\n  "a" // mine\n]}', 2)).toBe(
    '{"command":"a","args":[\n   // mine\n]}',
  );
  expect(unwrapped('{"command":"m","args":["--", "a"\n]}', 2)).toBe('{"command":"a","args":[\n]}');
});

test("nothing is taken away when there are fewer words, or the next one is not a text", () => {
  expect(unwrapped('{"command":"m","args":["--"]}', 2)).toBeUndefined();
  expect(unwrapped('{"command":"m","args":["--",1]}', 2)).toBeUndefined();
  expect(unwrapped('{"command":"m"}', 2)).toBeUndefined();
});
