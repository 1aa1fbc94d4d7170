import { NONE } from "./layout.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Keys order by rank, then by place from the left; both fit a double exactly. */
const PARTS_MAX = 2 ** 31;

/**
 * Finishes a merge (see merge.ts) that plain passes are too slow for: `parts` parts beginning at
 * `starts`, pairs ranked by `ranks`. A binary heap finds the lowest pair and links skip what is merged,
 * so it takes O(n log n). Leaves `starts` closed up and returns the number of parts.
 */
export function mergeByHeap(
  text: Utf8,
  starts: Int32Array,
  ranks: Int32Array,
  parts: number,
  vocabulary: Vocabulary,
): number {
  const next = new Int32Array(parts);
  const previous = new Int32Array(parts + 1);
  for (let part = 0; part < parts; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
  }
  const heap = new Heap(parts);
  for (let part = 0; part < parts; part++) heap.push(ranks[part] as number, part);
  const update = (part: number) => {
    const right = next[part] as number;
    const start = starts[part] as number;
    const end = right < parts ? (starts[next[right] as number] as number) : start;
    const rank = right < parts ? vocabulary.rank(text, start, end - start) : NONE;
    ranks[part] = rank;
    heap.push(rank, part);
  };
  for (let key = heap.pop(); key >= 0; key = heap.pop()) {
    const part = key % PARTS_MAX;
    // An entry is out of date when its pair has been merged or ranked anew since.
    if (ranks[part] !== Math.floor(key / PARTS_MAX)) continue;
    const gone = next[part] as number;
    const after = next[gone] as number;
    ranks[gone] = NONE;
    next[part] = after;
    previous[after] = part;
    update(part);
    if ((previous[part] as number) >= 0) update(previous[part] as number);
  }
  return closeUp(starts, next, parts);
}

function closeUp(starts: Int32Array, next: Int32Array, parts: number): number {
  let kept = 0;
  for (let part = 0; part < parts; part = next[part] as number) {
    starts[kept++] = starts[part] as number;
  }
  starts[kept] = starts[parts] as number;
  return kept;
}

/** A binary heap of pairs by rank and place; grows as needed, holds only pairs that can be merged. */
class Heap {
  private keys: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.keys = new Float64Array(capacity + 16);
  }

  push(rank: number, part: number): void {
    if (rank === NONE) return;
    if (this.size === this.keys.length) {
      const larger = new Float64Array(this.size * 2);
      larger.set(this.keys);
      this.keys = larger;
    }
    const { keys } = this;
    const key = rank * PARTS_MAX + part;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] as number) <= key) break;
      keys[at] = keys[parent] as number;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the lowest key out, -1 when there is none. */
  pop(): number {
    if (this.size === 0) return -1;
    const { keys } = this;
    const lowest = keys[0] as number;
    const size = --this.size;
    const key = keys[size] as number;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
      if ((keys[child] as number) >= key) break;
      keys[at] = keys[child] as number;
      at = child;
    }
    keys[at] = key;
    return lowest;
  }
}
