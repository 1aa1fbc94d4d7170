import { spyOn } from "bun:test";
import type { Io } from "#kit/io.ts";
import { membersOf } from "../../support/processes.ts";

export const realIo: Pick<Io, "platform" | "signals"> = {
  platform: process.platform,
  signals: {
    listen: () => () => undefined,
    send(pid, signal) {
      try {
        return process.kill(pid, signal);
      } catch {
        return false;
      }
    },
  },
};

export class Spawned implements Disposable {
  readonly pids: number[] = [];
  readonly #restore: () => void;

  constructor(onSpawn: () => void = () => undefined) {
    const { spawn } = Bun;
    const spy = spyOn(Bun, "spawn").mockImplementation(((...args: Parameters<typeof spawn>) => {
      const child = spawn(...args);
      this.pids.push(child.pid);
      queueMicrotask(onSpawn);
      return child;
    }) as typeof spawn);
    this.#restore = () => spy.mockRestore();
  }

  async living(): Promise<number[]> {
    for (let tries = 0; tries < 1_000; tries += 1) {
      if (this.running.length === 0) return [];
      await Bun.sleep(10);
    }
    return this.running;
  }

  get running(): number[] {
    return this.pids.flatMap((pid) => membersOf(pid));
  }

  [Symbol.dispose](): void {
    this.#restore();
  }
}
