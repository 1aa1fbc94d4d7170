import { expect, test } from "bun:test";
import { runtimeExchangesIn } from "#http-client/runtime-requests.ts";

const rows: readonly (readonly [raw: string | undefined, open: number])[] = [
  [undefined, 250],
  ["256", 250],
  ["1006", 1_000],
  ["+1006", 1_000],
  ["65535", 65_529],
  ["6", 1],
  ["1", 1],
  // The runtime makes 256 with these.
  ["0", 250],
  ["65536", 250],
  [" 1006", 250],
  ["1006x", 250],
  ["", 250],
];

for (const [raw, open] of rows) {
  test(`${raw ?? "no number"}: ${open} exchanges`, () => {
    expect(runtimeExchangesIn({ BUN_CONFIG_MAX_HTTP_REQUESTS: raw })).toBe(open);
  });
}
