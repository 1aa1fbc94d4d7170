import { expect, test } from "bun:test";
import { parseLockOptions } from "#commands/lock/options.ts";
import { lockTerms, profileTerms } from "#commands/terms.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";

const given = (options: { readonly [name: string]: string }) =>
  parseLockOptions({ options, operands: [], child: ["server"] });

test("profileTerms selects the reader that options name, and the risk thresholds", () => {
  const { reader, thresholds } = profileTerms(given({ tokenizer: "chars4", risk: "1,2,3" }));
  expect([reader.estimator.id, thresholds]).toEqual(["chars4", [1, 2, 3]]);
  expect(profileTerms(given({})).thresholds).toEqual(riskThresholdsDefault);
});

test("lockTerms are the options of a comparison", () => {
  const base = { name: "main", lock: undefined };
  expect(lockTerms(given({ file: "f", "max-tool": "5", "fail-on": "safe" }), base)).toEqual({
    lockFile: "f",
    limits: { maxToolTokens: 5 },
    failOn: "safe",
    thresholds: riskThresholdsDefault,
    base,
  });
});
