import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { closePipe, openPipe } from "#kit/os/pipe.ts";
import { writeAll } from "#kit/os/write-file.ts";
import { Folder } from "../../support/folder.ts";
import { socketPair } from "../../support/socket-pair.ts";

test("writes all bytes to a file, and gives the code of a failure", async () => {
  using folder = new Folder();
  const file = openSync(folder.at("f"), "w");
  expect(await writeAll(file, Buffer.from("all of it"))).toBeUndefined();
  closeSync(file);
  expect(readFileSync(folder.at("f"), "utf8")).toBe("all of it");
  const readOnly = openSync(folder.at("f"), "r");
  expect(await writeAll(readOnly, Buffer.from("x"))).toBe("EBADF");
  closeSync(readOnly);
});

test.skipIf(process.platform !== "linux")(
  "the event loop turns until the reader has taken all",
  async () => {
    const bytes = Buffer.alloc(300_000, "x");
    const { ours, theirs } = socketPair();
    const sockets = { readEnd: theirs, writeEnd: ours, isSocket: true };
    for (const ends of [openPipe(process.platform), sockets]) {
      if (!ends) throw new Error("no pipe");
      let isWritten = false;
      const written = writeAll(ends.writeEnd, bytes).then((fault) => {
        isWritten = true;
        return fault;
      });
      await Bun.sleep(20);
      expect(isWritten).toBe(false);
      const chunk = Buffer.alloc(65_536);
      for (let left = bytes.length; left > 0;) {
        left -= readSync(ends.readEnd, chunk);
        await Bun.sleep(1);
      }
      expect(await written).toBeUndefined();
      closePipe(ends);
    }
  },
);
