import { expect, test } from "bun:test";
import { contestantNames } from "../../../../scripts/bench/contestants.ts";
import { colourName, palette } from "../../../../scripts/bench/plots/palette.ts";

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(Object.entries(palette))("%s can be told from its paper", (_, { light, dark }) => {
  expect(contrast(light, "#ffffff")).toBeGreaterThan(3);
  expect(contrast(dark, "#15191f")).toBeGreaterThan(3);
});

test("each contestant has a colour of its own", () => {
  const names = Object.values(contestantNames).map(colourName);
  expect(names).toEqual(Object.keys(contestantNames) as typeof names);
  expect(colourName("js-tiktoken")).toBe("other");
  for (const theme of ["light", "dark"] as const) {
    const colours = Object.values(palette).map((shades) => shades[theme]);
    expect(new Set(colours).size).toBe(colours.length);
  }
});
