import { dlopen, ptr } from "bun:ffi";

/** Values of Linux and macOS: `AF_UNIX`, `SOCK_STREAM`; `F_SETFD`, `FD_CLOEXEC`; `F_SETFL` and its flag. */
const [afUnix, sockStream, setDescriptorFlags, closeOnExec, setFlags] = [1, 1, 2, 1, 4];
const nonBlocking = process.platform === "linux" ? 0o4000 : 0x4;
const libraryName = process.platform === "linux" ? "libc.so.6" : "libSystem.B.dylib";

const load = () =>
  dlopen(libraryName, {
    socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
    fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
    mkfifo: { args: ["ptr", "u32"], returns: "i32" },
  }).symbols;
let loaded: ReturnType<typeof load> | undefined;

export function socketPair(): { readonly ours: number; readonly theirs: number } {
  const { socketpair, fcntl } = (loaded ??= load());
  const ends = new Int32Array(2);
  if (socketpair(afUnix, sockStream, 0, ptr(ends)) !== 0) throw new Error("no sockets");
  const [ours = -1, theirs = -1] = ends;
  for (const end of ends) fcntl(end, setDescriptorFlags, closeOnExec);
  fcntl(ours, setFlags, nonBlocking);
  return { ours, theirs };
}

export function makeFifo(path: string): void {
  const { mkfifo } = (loaded ??= load());
  if (mkfifo(ptr(Buffer.from(`${path}\0`)), 0o600) !== 0) throw new Error(`no pipe at ${path}`);
}
