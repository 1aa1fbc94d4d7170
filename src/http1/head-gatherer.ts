import { carriageReturn, newline } from "#wire/ascii.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import { HttpFault } from "./http-fault.ts";

/** Gathers the bytes of a head until the empty line behind it. */
export class HeadGatherer {
  readonly #bytesMax: number;
  readonly #gathered = new GrowingBytes();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** True when the first bytes of a head have come. */
  get hasBegun(): boolean {
    return this.#gathered.size > 0;
  }

  /** The head, and the bytes behind it; undefined while it is not complete. Throws HttpFault where it is too long. */
  push(bytes: Uint8Array): { readonly head: Uint8Array; readonly rest: Uint8Array } | undefined {
    const known = this.#gathered.size;
    // Most heads come in one piece.
    if (known > 0) this.#gathered.push(bytes);
    const all = known > 0 ? this.#gathered.all : bytes;
    const end = endOfHead(all, Math.max(0, known - headEndBytes));
    if ((end ?? all.length) > this.#bytesMax) throw new HttpFault("HPE_HEADER_OVERFLOW");
    if (end !== undefined) {
      this.#gathered.take();
      return { head: all.subarray(0, end), rest: all.subarray(end) };
    }
    if (known === 0) this.#gathered.push(bytes);
    return undefined;
  }
}

/** Bytes of the end of a head that may have come before its last one. */
const headEndBytes = 3;

/** The index behind the first empty line, from which on the search begins at `from`. */
function endOfHead(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(newline, from); at >= 0; at = bytes.indexOf(newline, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (bytes[next] === newline) return next + 1;
  }
  return undefined;
}
