import { expect, test } from "bun:test";
import { assert, array, integer, property } from "fast-check";
import { fittedPointsMax, fitLine } from "#history/imports/validate/validation.ts";

// Points on native = 38 + 1.04 × estimated.
function onLine(count: number): { estimated: number; native: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const estimated = 50 + index * 37;
    return { estimated, native: 38 + 1.04 * estimated };
  });
}

test("points on a line give the line", () => {
  const line = fitLine(onLine(40));
  expect([line?.scale.toFixed(6), line?.offset.toFixed(6)]).toEqual(["1.040000", "38.000000"]);
});

test("a quarter of wild points does not move it far", () => {
  const wild = Array.from({ length: 10 }, (_, index) => {
    return { estimated: 60 + index * 31, native: 90_000 };
  });
  const line = fitLine([...onLine(40), ...wild]);
  expect(Math.abs((line?.scale ?? 0) - 1.04)).toBeLessThan(0.05);
});

test("one estimate alone gives no line", () => {
  expect(fitLine([])).toBeUndefined();
  expect(fitLine([{ estimated: 5, native: 9 }])).toBeUndefined();
  expect(
    fitLine([
      { estimated: 5, native: 9 },
      { estimated: 5, native: 11 },
    ]),
  ).toBeUndefined();
});

test("more points than the limit are fitted by some of them", () => {
  const line = fitLine(onLine(fittedPointsMax * 3));
  expect(line?.scale).toBeCloseTo(1.04, 9);
});

test("property: points that all move up move the line up by as much", () => {
  const values = integer({ min: 0, max: 100_000 });
  assert(
    property(array(values, { minLength: 2, maxLength: 30 }), values, (natives, up) => {
      const points = natives.map((native, index) => ({ estimated: index * 10, native }));
      const raised = points.map((point) => ({ ...point, native: point.native + up }));
      const [a, b] = [fitLine(points), fitLine(raised)];
      expect(b?.scale).toBeCloseTo(a?.scale ?? Number.NaN, 6);
      expect((b?.offset ?? 0) - (a?.offset ?? 0)).toBeCloseTo(up, 6);
    }),
  );
});
