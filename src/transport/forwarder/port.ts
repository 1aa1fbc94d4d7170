import { type CFunctions, takeAddress } from "#kit/os/pipe.ts";

type PortFunctions = Pick<CFunctions, "read" | "write" | "recv" | "send" | "close">;

export type PortEnds = {
  readonly fd: number;
  // A non-blocking duplicate, because other programs share the flags of `fd`.
  readonly ownFd: number;
  readonly isSocket: boolean;
};

const [dontWait, noSignal] = [0x40, 0x4000];

export class Port {
  readonly #c: PortFunctions;
  readonly #ends: PortEnds;
  #isOpen = true;

  constructor(c: PortFunctions, ends: PortEnds) {
    this.#c = c;
    this.#ends = ends;
  }

  get fd(): number {
    return this.#ends.fd;
  }

  read(address: number, size: number): number {
    const { ownFd, isSocket } = this.#ends;
    return isSocket
      ? this.#c.recv(ownFd, address, size, dontWait)
      : this.#c.read(ownFd, address, size);
  }

  write(address: number, size: number): number {
    const { ownFd, isSocket } = this.#ends;
    return isSocket
      ? this.#c.send(ownFd, address, size, dontWait | noSignal)
      : this.#c.write(ownFd, address, size);
  }

  get isSocket(): boolean {
    return this.#ends.isSocket;
  }

  // `results` come from poll. A write that takes nothing proves nothing: another writer may have filled
  // the pipe. A pipe always reports a broken end as an event. A socket whose other end is only shut down
  // does not, but then sending zero bytes fails.
  isBroken(results: number): boolean {
    const { ownFd, isSocket } = this.#ends;
    if (!isSocket) return (results & pollEvent.over) !== 0;
    return this.#c.send(ownFd, 0, 0, dontWait | noSignal) < 0;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { fd, ownFd } = this.#ends;
    if (ownFd !== fd) this.#c.close(ownFd);
    this.#c.close(fd);
  }
}

const [readable, writable] = [1, 4];
const [error, hangUp, invalid] = [8, 16, 32];

export const pollEvent = { readable, writable, over: error | hangUp | invalid } as const;

export class PollSet {
  readonly #c: Pick<CFunctions, "poll">;
  readonly #fields: Int32Array;
  readonly #address: number;
  readonly #size: number;

  constructor(c: Pick<CFunctions, "poll">, size: number) {
    this.#c = c;
    this.#size = size;
    this.#fields = new Int32Array(size * 2);
    this.#address = takeAddress(this.#fields);
  }

  set(index: number, fd: number, events: number): void {
    this.#fields[index * 2] = events === 0 ? -1 : fd;
    this.#fields[index * 2 + 1] = events;
  }

  wait(timeoutMs: number): void {
    this.#c.poll(this.#address, this.#size, timeoutMs);
  }

  results(index: number): number {
    return this.#fields[index * 2] === -1 ? 0 : (this.#fields[index * 2 + 1] ?? 0) >>> 16;
  }
}
