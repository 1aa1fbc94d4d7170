import { expect, test } from "bun:test";
import { fstatSync } from "node:fs";
import { Port } from "#transport/forwarder/publisher.ts";
import { reopen } from "#transport/proxy/thread-forwarding.ts";
import { openPipe, openSocketPair } from "#kit/os/pipe.ts";
import { takeAddress, loadC } from "#kit/os/c-library.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { hasThread } from "../../support/forwarder.ts";

const text = bytesOf("through\n");

for (const [kind, open] of [
  ["pipe", openPipe],
  ["socket", openSocketPair],
] as const) {
  test.skipIf(!hasThread)(
    `a ${kind}: reads and writes without waiting, until its other end is closed`,
    () => {
      const pipe = open("linux");
      const input = pipe && reopen(pipe.readEnd, "read");
      const output = pipe && reopen(pipe.writeEnd, "write");
      if (!pipe || !input || !output) throw new Error(`no ${kind}`);
      const [reader, writer] = [new Port(loadC(), input), new Port(loadC(), output)];
      const buffer = new Uint8Array(1024 * 1024);
      const address = takeAddress(buffer);
      expect(reader.read(address, 100)).toBe(-1);
      expect(writer.write(takeAddress(text), text.length)).toBe(text.length);
      expect(reader.read(address, 100)).toBe(text.length);
      expect(textOf(buffer.subarray(0, text.length))).toBe("through\n");
      let written = 0;
      for (let size = 1; size > 0; written += size) {
        size = writer.write(address, buffer.length);
        if (size < 0) break;
      }
      expect(written).toBeGreaterThan(4_096);
      expect(writer.write(address, 1)).toBe(-1);
      expect(writer.isBroken(0)).toBe(false);
      writer.close();
      writer.close();
      for (let left = written; left > 0;) left -= reader.read(address, buffer.length);
      expect(reader.read(address, 100)).toBe(0);
      reader.close();
      for (const fd of [pipe.readEnd, pipe.writeEnd]) expect(() => fstatSync(fd)).toThrow("EBADF");
    },
  );
}
