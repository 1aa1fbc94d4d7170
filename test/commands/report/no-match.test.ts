import { expect, test } from "bun:test";
import { noMatchSentence } from "#commands/report/no-match.ts";
import { servedServersMax } from "#limits/mcp-server.ts";
import { Cube } from "#reports/cube.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { callRecord } from "../../support/made-records.ts";

const zone = new TimeZone("UTC");
const range = { fromMs: -Infinity, toMs: Infinity };

function sentenceWith(servers: readonly string[]): string {
  const cube = new Cube({ ranges: [range], zone });
  for (const [seq, server] of servers.entries()) cube.add(callRecord({ seq, server }));
  return noMatchSentence(cube.facts(), { range, zone });
}

test("names the servers that have records, safely and not without end", () => {
  expect(sentenceWith(["memory", "git\u001b[2Jhub", "memory"])).toMatch(
    /^Nothing matches .*; servers with records in it: memory, git\S+hub$/,
  );
  const many = Array.from({ length: 50 }, (_, index) => `s${index}`);
  expect(sentenceWith(many).split(", ").length).toBeLessThan(servedServersMax + 3);
  expect(sentenceWith([])).not.toContain("servers");
});
