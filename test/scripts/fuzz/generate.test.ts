import { expect, test } from "bun:test";
import { generateScript } from "../../../scripts/fuzz/generate.ts";
import { bytesOf, type Script } from "../../../scripts/fuzz/script.ts";

const nothing = { without: new Set<string>() };

function textOf({ steps }: Script): string {
  return steps.map(({ pieces }) => bytesOf(pieces).toString("latin1")).join("");
}

const scripts = Array.from({ length: 300 }, (_, seed) => generateScript(seed, nothing));

test("the same seed gives the same script", () => {
  expect(generateScript(5, nothing)).toEqual(generateScript(5, nothing));
  expect(generateScript(5, nothing)).not.toEqual(generateScript(6, nothing));
});

test("scripts survive their reproduction file", () => {
  for (const script of scripts.slice(0, 50)) {
    const read: Script = JSON.parse(JSON.stringify(script));
    expect(textOf(read)).toBe(textOf(script));
  }
});

test("the scripts cover both eras, every kind of ending and the whole protocol", () => {
  const all = scripts.map(textOf).join("");
  const methods = [
    "initialize",
    "server/discover",
    "tools/list",
    "tools/call",
    "resources/read",
    "prompts/get",
    "tasks/get",
    "tasks/result",
    "tasks/cancel",
    "notifications/cancelled",
    "notifications/tasks",
    "sampling/createMessage",
    "elicitation/create",
    "input_required",
    "nextCursor",
    "unheard-of",
  ];
  for (const method of methods) expect(all).toContain(`"${method}"`);
  const endings = new Set(scripts.map(({ ending }) => ending.kind));
  expect([...endings].toSorted()).toEqual(["crash", "eof", "exit", "half-close", "kill", "term"]);
  expect(scripts.some(({ steps }) => steps.some(({ cuts = [] }) => cuts.length > 1))).toBe(true);
});

test("what is left out does not occur", () => {
  const without = new Set(["byte-order-mark", "repeat-version"]);
  const all = Array.from({ length: 300 }, (_, seed) => textOf(generateScript(seed, { without })));
  expect(all.join("")).not.toContain("\u00EF\u00BB\u00BF");
  expect(all.join("")).not.toContain('"jsonrpc":"2.0","jsonrpc":"2.0"');
  expect(scripts.map(textOf).join("")).toContain("\u00EF\u00BB\u00BF");
});
