import { expect, test } from "bun:test";
import { configuredArguments, resolveConfig } from "#commands/configured-arguments.ts";
import { runCommand } from "#commands/run/index.ts";
import type { ConfigPlace } from "#storage/config/config-path.ts";
import { Folder, thrownBy } from "../support/folder.ts";

const words = { operands: [], child: ["garden"] };

function place(file: string, isImplicit = true): ConfigPlace {
  return { file, kind: isImplicit ? "user" : "named", isImplicit };
}

test("the system's file holds where the user's own does not say otherwise", () => {
  using folder = new Folder();
  const places = [
    place(folder.file("etc.json", '{"model": "e", "log": "e", "budgets": [{"limit": 1}]}')),
    place(folder.file("own.json", '{"model": "o", "servers": {"garden": {"budgets": []}}}')),
  ];
  const { options, server, configs, mistakes } = resolveConfig(
    { command: runCommand, words, explicit: {}, places },
    {},
  );
  expect(options).toEqual({ model: "o", log: "e", budgets: "[]" });
  expect([server, configs.length, mistakes]).toEqual(["garden", 2, []]);
});

test("one line for each file with a mistake", () => {
  using folder = new Folder();
  const places = ["a", "b"].map((name) => place(folder.file(name, '{"windwo": 1, "risk": [1]}')));
  const told: string[] = [];
  const line = { command: runCommand, words, explicit: {}, places };
  const { config } = configuredArguments(line, {}, (sentence) => told.push(sentence));
  expect(told).toHaveLength(2);
  expect(told[0]).toEndWith('(did you mean "window"?), and 1 more mistake; see "mcp-meter config"');
  expect(config?.faults).toEqual(["unknown property", "risk", "unknown property", "risk"]);
});

test("a mistake in a file that the command line names is thrown, also one of a value", () => {
  using folder = new Folder();
  for (const [text, sentence] of [
    ['{"windwo": 1}', 'unknown property "windwo"'],
    ['{"tokenizer": "fruit"}', "--tokenizer must be one of"],
    ['{"servers": {"other": {"window": 0}}}', "servers.other.window must be"],
  ] as const) {
    const places = [place(folder.file("named.json", text), false)];
    const line = { command: runCommand, words, explicit: {}, places };
    expect(thrownBy(() => resolveConfig(line, {}))).toContain(sentence);
  }
});
