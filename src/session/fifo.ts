/** Emptied places at the front before they are cut off. */
const emptyPlaces = 1_024;

/** A queue that lets go of an item as soon as it has left: an array that is only indexed would keep it. */
export class Fifo<T extends object> {
  #items: (T | undefined)[] = [];
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  /** The oldest item; undefined when there is none. */
  get first(): T | undefined {
    return this.#items[this.#start];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item. */
  shift(): T | undefined {
    const item = this.#items[this.#start];
    if (!item) return undefined;
    this.#items[this.#start] = undefined;
    this.#start += 1;
    if (this.#start === this.#items.length || this.#start === emptyPlaces) {
      this.#items.splice(0, this.#start);
      this.#start = 0;
    }
    return item;
  }
}
