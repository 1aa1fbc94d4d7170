import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goldenRoot, readSession } from "../support/golden.ts";
import { goldenSessions } from "../support/golden-sessions.ts";

const sizeMax = 200_000;

const folders = readdirSync(goldenRoot, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const recordings = folders.flatMap((folder) =>
  readdirSync(join(goldenRoot, folder))
    .filter((file) => file === "session.ndjson" || file === "probe.ndjson")
    .map((file) => join(folder, file)),
);

test("each recorded session has its folder, and each folder its session", () => {
  expect(folders.toSorted()).toEqual(goldenSessions.map(({ name }) => name).toSorted());
  for (const folder of folders) expect(recordings).toContain(join(folder, "session.ndjson"));
});

describe("a recording", () => {
  for (const recording of recordings) {
    test(`${recording} is JSON-RPC in the order of time, small, and from no machine in particular`, () => {
      const file = join(goldenRoot, recording);
      const spoken = readSession(file);
      const times = spoken.map(({ at_ms: atMs }) => atMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(spoken[0]?.from).toBe("client");
      for (const { line } of spoken) {
        expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
        expect(line).not.toContain(tmpdir());
        expect(line).not.toContain(process.cwd());
      }
      expect(statSync(file).size).toBeLessThan(sizeMax);
    });
  }
});
