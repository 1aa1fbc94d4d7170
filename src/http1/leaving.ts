/** The end of the interest in an answer. As `AbortSignal`, which costs several times as much for each exchange. */
export class Leaving {
  #listeners: (() => void)[] = [];
  #hasLeft = false;

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The client reads no further. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Calls `listener` then, once; at once where it has happened. */
  onLeave(listener: () => void): void {
    if (this.#hasLeft) listener();
    else this.#listeners.push(listener);
  }
}
