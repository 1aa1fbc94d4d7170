import { expect, test } from "bun:test";
import { entitiesAt } from "#check/secrets/entities.ts";
import { entityLevelsMax } from "#limits/definitions.ts";

const read = (text: string): string[] =>
  entitiesAt(`&${text}`, 1).map(({ units, length }) => `${units} ${length}`);

test.each([
  ["amp;", ["& 4"]],
  ["lt;x", ["< 3"]],
  ["quot;", ['" 5']],
  ["apos;", ["' 5"]],
  ["nbsp;", ["\u00a0 5"]],
  ["#39;", ["' 4"]],
  ["#039;", ["' 5"]],
  ["#x27;", ["' 5"]],
  ["#X2f;", ["/ 5"]],
  ["#228;", ["ä 5"]],
  ["#128512;", ["😀 8"]],
  ["amp;lt;", ["& 4", "< 7"]],
  ["amp;amp;#39;", ["& 4", "& 8", "' 12"]],
  ["lt", []],
  ["constructor;", []],
  ["copy;", []],
  ["#;", []],
  ["#x110000;", []],
  ["#999999999;", []],
  ["", []],
])("entitiesAt &%s", (text, entities) => {
  expect(read(text)).toEqual(entities);
});

test("entitiesAt follows entityLevelsMax levels, and no more", () => {
  const levels = "amp;".repeat(entityLevelsMax - 1);
  expect(read(`${levels}lt;`)).toContain(`< ${levels.length + 3}`);
  expect(read(`amp;${levels}lt;`).join()).not.toContain("<");
});
