import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { importLogs } from "#commands/import/command.ts";
import { parseImportOptions } from "#commands/import/index.ts";
import type { Io } from "#kit/io.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

const from = join(import.meta.dir, "../../fixtures/logs/claude-code");

test("an import that is interrupted says what is kept, and ends by the signal", async () => {
  using folder = new Folder();
  const io = capturedIo({ XDG_STATE_HOME: folder.path });
  const sent: string[] = [];
  const wereWritten: boolean[] = [];
  const signals: Io["signals"] = {
    listen(handler) {
      queueMicrotask(() => handler("SIGINT"));
      return () => undefined;
    },
    send(_pid, signal) {
      wereWritten.push(existsSync(folder.at("mcp-meter", "imports")));
      return sent.push(signal) > 0;
    },
  };
  const options = { from: [from] };
  const parsed = parseImportOptions({ options, operands: [], child: undefined });
  await importLogs(parsed, { ...io, signals });
  expect([sent, wereWritten]).toEqual([["SIGINT"], [false]]);
  expect(io.written.stderr).toContain(
    `mcp-meter: Interrupted: nothing was imported, and earlier records are unchanged\n`,
  );
});

test("an import that cannot keep its records names the options that help", async () => {
  const io = capturedIo({});
  const parsed = parseImportOptions({ options: { from: [from] }, operands: [], child: undefined });
  expect(await importLogs(parsed, io)).toEqual({ code: 1 });
  expect(io.written.stderr).toContain(
    "mcp-meter: Cannot keep records: set HOME or XDG_STATE_HOME, or pass --log FILE\n",
  );
});
