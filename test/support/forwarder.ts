import { loadC } from "#kit/os/c-library.ts";
import { recordKind, makeSharedMemory } from "#transport/forwarder/shared-memory.ts";
import { PublishedReader } from "#transport/forwarder/published-reader.ts";
import { Publisher, SpoolFile, type SpoolFunctions } from "#transport/forwarder/publisher.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

export const hasThread = process.platform === "linux";

export function publishing(path: string, c: SpoolFunctions = loadC()) {
  const memory = makeSharedMemory();
  const publisher = new Publisher(memory, new SpoolFile(c, path));
  const reader = new PublishedReader(memory);
  return {
    memory,
    publisher,
    reader,
    publish(isClient: boolean, bytes: Uint8Array, atMs = 0): void {
      if (bytes.length > forwardedReadBytesMax) throw new Error("more than one read");
      put(bytes, publisher.begin());
      const kind = isClient ? recordKind.clientBytes : recordKind.serverBytes;
      publisher.commit(kind, bytes.length, atMs);
    },
    end(kind: number): void {
      publisher.begin();
      publisher.commit(kind, 0, 0);
    },
  };
}

export function put(bytes: Uint8Array, address: number): void {
  const { toArrayBuffer }: typeof import("bun:ffi") = require("bun:ffi");
  new Uint8Array(toArrayBuffer(address, 0, forwardedReadBytesMax)).set(bytes);
}
