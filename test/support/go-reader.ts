import { join } from "node:path";
import { Folder } from "./folder.ts";

export type GoReader = Disposable & { readonly program: string };

/** A client on Go's encoding/json, compiled once for all its starts. */
export function buildGoReader(): GoReader {
  const folder = new Folder();
  const program = folder.at("reads-as-go");
  const source = join(import.meta.dir, "../fixtures/reads-as-go.go");
  const { exitCode, stderr } = Bun.spawnSync(["go", "build", "-o", program, source]);
  if (exitCode !== 0) throw new Error(`cannot build the reader: ${stderr.toString()}`);
  return { program, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
