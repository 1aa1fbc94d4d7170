import { expect, test } from "bun:test";
import { join } from "node:path";
import { importerIds } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import { listInflatingCuts, logsBelow } from "../../support/cut-logs.ts";
import { allowed } from "../../support/measure.ts";
import { logsFolder } from "../../support/logs.ts";

const cutsMax = 12_000;

test.each(importerIds)(
  "%s: a file that is cut at any byte, of long logs at any few bytes, is read, and there is never more than in the whole",
  (id) => {
    const home = join(logsFolder, id);
    // Long logs are cut less often, because each cut reads them again.
    const bytes = logsBelow(importers[id], home).reduce((sum, log) => sum + log.bytes.length, 0);
    expect(listInflatingCuts(importers[id], home, Math.ceil(bytes / cutsMax))).toEqual([]);
  },
  allowed(120_000),
);
