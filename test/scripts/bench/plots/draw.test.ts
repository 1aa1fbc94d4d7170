import { describe, expect, test } from "bun:test";
import type { Measurement } from "../../../../scripts/bench/measurement.ts";
import { choosePlot, draw } from "../../../../scripts/bench/plots/draw.ts";
import type { Plot } from "../../../../scripts/bench/plots/plot.ts";

const bars: Plot = {
  kind: "bars",
  title: "Starts & ends",
  unit: "ms",
  bars: [
    { name: "bare server", value: 1 },
    { name: "Node pipe", value: Number.NaN },
    { name: "<other>", value: 4 },
  ],
};
const lines: Plot = {
  kind: "lines",
  title: "Memory",
  unit: "MB",
  time: "seconds",
  lines: [
    {
      name: "mcp-meter",
      points: [
        { x: 0, y: 50 },
        { x: 10, y: 100 },
      ],
    },
    { name: "C tee", points: [] },
  ],
};
const percentiles: Plot = {
  kind: "percentiles",
  title: "Round trip",
  unit: "µs",
  percentiles: ["p50", "max"],
  rows: [
    { name: "bare server", values: [10, 100] },
    { name: "mcp-meter", values: [100, 1000] },
  ],
};

/** Whether all tags are closed in order, and no markup character is left outside of them. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, slash = "", name = "", empty = ""] of svg.matchAll(
    /<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<]*")*\s*(\/?)>/g,
  )) {
    if (slash !== "") {
      if (open.pop() !== name) return false;
    } else if (empty === "") open.push(name);
  }
  const rest = svg.replaceAll(/<\/?[a-z]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, "");
  return open.length === 0 && !/[<>]|&(?!amp;|lt;|gt;|quot;)/.test(rest);
}

describe.each([
  ["bars", bars],
  ["lines", lines],
  ["percentiles", percentiles],
])("%s", (_, plot) => {
  const svg = draw(plot);

  test("the same figures give the same bytes", () => {
    expect(draw(structuredClone(plot))).toBe(svg);
  });

  test("is one well-formed document", () => {
    expect(svg).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"');
    expect(svg).toEndWith("</svg>\n");
    expect(isWellFormed(svg)).toBe(true);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("has a title and a description for those who cannot see it", () => {
    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain(`<title id="title">${plot.title.replace("&", "&amp;")}</title>`);
    expect(/<desc id="description">(.+)<\/desc>/.exec(svg)?.[1]).toContain(plot.unit);
  });

  test("brings its own paper, light and dark", () => {
    expect(svg).toContain('class="paper"');
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
  });

  test("draws nothing of nothing, and says so in no number", () => {
    const empty = { ...plot, bars: [], lines: [], rows: [] };
    expect(isWellFormed(draw(empty))).toBe(true);
    expect(draw(empty)).not.toMatch(/NaN|Infinity/);
  });
});

const widths = (svg: string) =>
  [...svg.matchAll(/<rect x="190" [^>]*width="([\d.]+)"[^>]*class="fill/g)].map(([, one]) =>
    Number(one),
  );

test("bars are as long as their values, and a value that is not there has none", () => {
  expect(widths(draw(bars))).toEqual([125, 500]);
  expect(draw(bars)).not.toContain("Node pipe");
  expect(draw(bars)).toContain("&lt;other&gt;");
});

test("a line runs from its first to its last point, upwards when it grows", () => {
  const points = /<polyline points="([\d.,]+) ([\d.,]+)" class="line stroke-meter">/.exec(
    draw(lines),
  );
  expect(points?.slice(1)).toEqual(["76,170", "776,30"]);
});

test("equal ratios are equally far apart on a logarithmic axis", () => {
  const dots = [
    ...draw(percentiles).matchAll(
      /<circle cx="([\d.]+)" cy="[\d.]+" r="\d" class="[a-z -]*"><title>/g,
    ),
  ];
  expect(dots.map(([, x]) => Number(x))).toEqual([475, 190, 760, 475]);
});

test("a load without a plot shows its first column", () => {
  const measurement: Measurement = {
    load: "line",
    caption: "",
    columns: ["time", "of bare"],
    rows: [
      {
        contestant: "bare server",
        figures: [
          { value: 0.043, unit: "s" },
          { value: 1, unit: "×" },
        ],
      },
    ],
    verdicts: [],
  };
  expect(choosePlot(measurement)).toEqual({
    kind: "bars",
    title: "line: time",
    unit: "s",
    bars: [{ name: "bare server", value: 0.043 }],
  });
  expect(choosePlot({ ...measurement, plot: lines })).toBe(lines);
});
