import { constants } from "node:os";
import { addressOf, cLibrary } from "./c-library.ts";

const defaultAction = 0;

const ignore = 1;

const ignored = ["SIGPIPE", "SIGXFSZ"] as const;

/** Returns only where that is not possible. `argv` begins with the program's name. */
export function replaceProcess(
  path: string,
  argv: readonly string[],
  { platform, library = cLibrary }: { readonly platform: string; readonly library?: string },
): void {
  if (platform !== "linux") return;
  try {
    const { dlopen }: typeof import("bun:ffi") = require("bun:ffi");
    const { execvp, signal } = dlopen(library, {
      execvp: { args: ["u64", "u64"], returns: "i32" },
      signal: { args: ["i32", "u64"], returns: "u64" },
    }).symbols;
    const words = [path, ...argv].map((word) => Buffer.from(`${word}\0`));
    const pointers = new BigUint64Array([
      ...words.slice(1).map((word) => BigInt(addressOf(word))),
      0n,
    ]);
    const [file] = words;
    // `execvp` and not `execv`: a script without an interpreter line is run by the shell, as by other starters.
    // The runtime ignores these, and a program that is started by exec would inherit that.
    for (const name of ignored) signal(constants.signals[name], defaultAction);
    if (file) execvp(addressOf(file), addressOf(new Uint8Array(pointers.buffer)));
    for (const name of ignored) signal(constants.signals[name], ignore);
  } catch {
    // A system without the library: the caller starts the program as a child.
  }
}
