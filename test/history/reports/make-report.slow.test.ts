import { setDefaultTimeout, test } from "bun:test";
import { MadeNumbers } from "../../support/made-usage.ts";
import { everyTable, expectReportToHold } from "../../support/usage-parts.ts";

setDefaultTimeout(60_000);

test("the rows of each axis and pair of axes add up to the total, in any order of records", () => {
  for (let seed = 10; seed < 16; seed += 1) {
    expectReportToHold(new MadeNumbers(seed), everyTable);
  }
});
