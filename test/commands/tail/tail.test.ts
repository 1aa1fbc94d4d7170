import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { tail } from "#commands/tail/command.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";

test("a terminal gets the day of earlier calls on a line of its own", async () => {
  using home = new Folder();
  const day = "2026-01-02";
  mkdirSync(home.at("mcp-meter/sessions", day), { recursive: true });
  const calls = ["01", "02"].map((hour) => callRecord({ ts: `${day}T12:${hour}:00.000Z` }));
  const text = [sessionRecord(), ...calls].map((record) => `${JSON.stringify(record)}\n`).join("");
  home.file(`mcp-meter/sessions/${day}/one.ndjson`, text);
  const { io, stdout } = fakeIo({
    env: { XDG_STATE_HOME: home.path },
    stdout: { isTerminal: true, columns: 80 },
  });
  const left = { ...io, stdout: { ...io.stdout, isAbandoned: true } };
  const options = { servers: [], tools: [], lines: 10, format: "table", isWide: false } as const;
  await tail({ ...options, output: undefined }, left);
  const lines = stdout().split("\n").slice(0, -1);
  expect(lines).toEqual([
    expect.stringMatching(/^time /),
    day,
    expect.stringMatching(/^\d\d:01:00 /),
    expect.stringMatching(/^\d\d:02:00 /),
  ]);
  expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
});
