import type { CFunctions } from "#os/c-library.ts";
import { pollEvent } from "./poll-set.ts";

/** The functions that a port calls. */
export type PortFunctions = Pick<CFunctions, "read" | "write" | "recv" | "send" | "close">;

/** One end of a pipe or socket, by its descriptors. */
export type PortEnds = {
  /** Polled, and closed at the end. */
  readonly fd: number;
  /** The same end with flags of its own, which never waits: the flags of `fd` are shared with other programs. */
  readonly ownFd: number;
  readonly isSocket: boolean;
};

/** `MSG_DONTWAIT` and `MSG_NOSIGNAL` of Linux. */
const [dontWait, noSignal] = [0x40, 0x4000];

/** Reads and writes one end of a pipe or socket without waiting. */
export class Port {
  readonly #c: PortFunctions;
  readonly #ends: PortEnds;
  #isOpen = true;

  constructor(c: PortFunctions, ends: PortEnds) {
    this.#c = c;
    this.#ends = ends;
  }

  /** The descriptor to poll. */
  get fd(): number {
    return this.#ends.fd;
  }

  /** Reads at most `size` bytes to an address. Returns how many; 0 at the end, -1 when there are none now or after an error. */
  read(address: number, size: number): number {
    const { ownFd, isSocket } = this.#ends;
    return isSocket
      ? this.#c.recv(ownFd, address, size, dontWait)
      : this.#c.read(ownFd, address, size);
  }

  /** Writes at most `size` bytes from an address. Returns how many; -1 when none are taken now or after an error. */
  write(address: number, size: number): number {
    const { ownFd, isSocket } = this.#ends;
    return isSocket
      ? this.#c.send(ownFd, address, size, dontWait | noSignal)
      : this.#c.write(ownFd, address, size);
  }

  /** True for a socket, whose reader may leave without an event. */
  get isSocket(): boolean {
    return this.#ends.isSocket;
  }

  /**
   * True when the other end reads no more; `results` are those of polling. A write that takes nothing does not say so:
   * another writer of the same pipe may have filled it. A pipe always reports it as an event. A socket does not when the
   * other end is only shut down, but then it fails to send nothing.
   */
  isBroken(results: number): boolean {
    const { ownFd, isSocket } = this.#ends;
    if (!isSocket) return (results & pollEvent.over) !== 0;
    return this.#c.send(ownFd, 0, 0, dontWait | noSignal) < 0;
  }

  /** Closes both descriptors. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { fd, ownFd } = this.#ends;
    if (ownFd !== fd) this.#c.close(ownFd);
    this.#c.close(fd);
  }
}
