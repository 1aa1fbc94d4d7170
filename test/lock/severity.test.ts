import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { driftRules, failsOn, severities, type FailOn } from "#lock/drift/severity-rules.ts";

const failOns: readonly FailOn[] = ["breaking", "risky", "safe"];

test.each([
  ["BREAKING", [true, true, true]],
  ["RISKY", [false, true, true]],
  ["SAFE", [false, false, true]],
  ["COSMETIC", [false, false, false]],
] as const)("%s fails on breaking, risky, safe", (severity, expected) => {
  expect(failOns.map((failOn) => failsOn(failOn, severity))).toEqual([...expected]);
});

test("every severity has a kind of drift", () => {
  const used = Object.values(driftRules).map(({ severity }) => severity);
  expect(new Set(used)).toEqual(new Set(severities));
  expect(used).toEqual(used.toSorted((a, b) => severities.indexOf(a) - severities.indexOf(b)));
});

test("every kind of drift is found by some code", () => {
  const folder = join(import.meta.dir, "..", "..", "src", "lock");
  const files = [...new Glob("**/*.ts").scanSync(folder)].filter((file) => file !== "severity.ts");
  const code = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  // Schema and list rows name their side and what happened to it.
  const isFound = (kind: string): boolean =>
    code.includes(`"${kind}"`) ||
    code.includes(`\`${kind.replace(/^(?:prompt|resource_template|skill)/, "${kind}")}\``) ||
    code.includes(`\`${kind.replace(/^(?:input|output)/, "${side}")}\``);
  expect(Object.keys(driftRules).filter((kind) => !isFound(kind))).toEqual([]);
});
