import type { Direction } from "./direction.ts";
import { pollEvent, type PollSet } from "./poll-set.ts";
import type { Publisher } from "./publisher.ts";
import { delivery, type SharedMemory, word } from "./shared-memory.ts";
import type { WakeUp } from "./wake-up.ts";

const roomCheckMs = 2;

const socketCheckMs = 1_000;

export type ForwarderParts = {
  readonly memory: SharedMemory;
  readonly up: Direction;
  readonly down: Direction;
  readonly publisher: Publisher;
  readonly polled: PollSet;
  readonly wakeUp: WakeUp;
  readonly stopFd: number;
  readonly ended: () => void;
  readonly now: () => number;
};

const [upPlace, downPlace, stopPlace] = [0, 2, 4];

export const forwarderPlaces = 5;

/** Two system calls for a chunk and one wait. Makes no objects while it runs, and never waits for a full pipe or the judge. */
export class Forwarder {
  readonly #parts: ForwarderParts;
  #delivery = -1;
  #isStopped = false;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  run(): void {
    while (!this.#isStopped) this.#turn();
  }

  #turn(): void {
    const { up, down, publisher, polled, wakeUp, stopFd, now } = this.#parts;
    const upWaits = this.#prepare(up, upPlace);
    const downWaits = this.#prepare(down, downPlace);
    this.#showDelivery(downWaits);
    polled.set(stopPlace, stopFd, pollEvent.readable);
    if (upWaits || downWaits) wakeUp.wakeNow();
    polled.wait(upWaits || downWaits ? roomCheckMs : this.#timeoutMs());
    const nowMs = now();
    this.#serve(up, upPlace, nowMs);
    this.#serve(down, downPlace, nowMs);
    if (publisher.isFilling) wakeUp.wakeNow();
    wakeUp.wakeIfDue(nowMs);
    this.#isStopped = polled.results(stopPlace) !== 0;
  }

  #timeoutMs(): number {
    const { up, down, wakeUp, now } = this.#parts;
    const wakeMs = wakeUp.timeoutMs(now());
    if (!up.awaitsSocket && !down.awaitsSocket) return wakeMs;
    return wakeMs < 0 ? socketCheckMs : Math.min(wakeMs, socketCheckMs);
  }

  #prepare(direction: Direction, place: number): boolean {
    const { publisher, polled } = this.#parts;
    const { input, output } = direction;
    polled.set(place + 1, output.fd, direction.hasUnsent ? pollEvent.writable : 0);
    const waits = direction.wantsBytes && !publisher.hasRoom(direction.isFromClient);
    polled.set(place, input.fd, direction.wantsBytes && !waits ? pollEvent.readable : 0);
    return waits || direction.isWaitingToEnd;
  }

  #serve(direction: Direction, place: number, nowMs: number): void {
    const { polled, wakeUp, memory, publisher } = this.#parts;
    const input = polled.results(place);
    const output = polled.results(place + 1);
    if (output !== 0) direction.flush(output);
    else direction.probe();
    // The other direction may have filled the last room in this turn.
    if (input !== 0 && publisher.isFree()) direction.move(input, nowMs);
    if (input !== 0 || output !== 0) {
      if (!direction.isFromClient) memory.movedMs[0] = nowMs;
      wakeUp.published(!direction.isFromClient, nowMs);
    }
    if (direction.settle(nowMs)) this.#tellEnds();
  }

  #tellEnds(): void {
    const { up, down, memory } = this.#parts;
    if (!up.isReading) Atomics.store(memory.words, word.clientEnded, 1);
    if (!down.isOpen) Atomics.store(memory.words, word.serverEnded, 1);
    this.#parts.ended();
  }

  #showDelivery(waitsForJudge: boolean): void {
    const { down, memory } = this.#parts;
    const waiting = down.hasUnsent ? delivery.waitsForClient : delivery.none;
    const current = waitsForJudge ? delivery.waitsForJudge : waiting;
    if (current === this.#delivery) return;
    this.#delivery = current;
    Atomics.store(memory.words, word.delivery, current);
  }
}
