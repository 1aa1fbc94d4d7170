import { expect, test } from "bun:test";
import { join } from "node:path";
import { packEvents, unpackEvents } from "#history/imports/packed-events.ts";
import { importerIds } from "#history/importers/ids.ts";
import { importers } from "#history/importers/index.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import { logsBelow, readLogBytes } from "../../support/cut-logs.ts";
import { logsFolder, requestLine, useLine } from "../../support/logs.ts";

const homes = [
  ...importerIds
    .filter((id) => !["opencode", "goose", "amp"].includes(id))
    .map((id) => [id, id] as const),
  ["codex", "codex-runs"] as const,
  ["claude-code", join("claude-code-runs", "all")] as const,
];

test.each(homes)("%s in %s: events are the same after packing", (id, home) => {
  const files = logsBelow(importers[id], join(logsFolder, home));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { events } = readLogBytes(importers[id], file);
    expect(unpackEvents(packEvents(events))).toEqual(events);
  }
});

test("members that may be absent stay so, and shared values are not confused", () => {
  const events: readonly LogEvent[] = [
    requestLine({ nativeCost: 1.5, keys: { message: "m", request: null, line: null, copy: "c" } }),
    useLine({ name: { server: "a", tool: "b" }, model: "null" }),
    useLine({ name: { joined: "mcp__a__b", form: "double" }, model: null, isSideChain: true }),
    { kind: "boundary", at: null, conversation: "true", why: "clear", line: null },
    requestLine({ at: null, model: '{"server":"a","tool":"b"}' }),
  ];
  const unpacked = unpackEvents(packEvents(events));
  expect(unpacked).toEqual(events);
  expect(unpacked.map((event) => Object.keys(event).length)).toEqual(
    events.map((event) => Object.keys(event).length),
  );
  expect(unpackEvents(packEvents([]))).toEqual([]);
});
