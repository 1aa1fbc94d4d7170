import { followedPricesMax } from "#limits/records.ts";

const firstRoom = 64;

/** The numbers of parts of a context, a column each, with room at the end. */
export class PartColumns {
  starts = new Float64Array(firstRoom);
  ends = new Float64Array(firstRoom);
  /** Twice the call, plus one for an answer. */
  owners = new Float64Array(firstRoom);
  /** The first turn that is in no sum of the call yet. */
  since = new Float64Array(firstRoom);
  /** The cost of the turns from then on that were charged one by one. */
  costs = new Float64Array(firstRoom);
  /** Rows of `followedPricesMax`: the counts of cached turns that are in `costs` or before. */
  marks = new Float64Array(firstRoom * followedPricesMax);

  get room(): number {
    return this.starts.length;
  }

  /** Moves some parts to the beginning, of larger columns where they take more than half of these. */
  move(from: number, to: number): void {
    const room = this.room * ((to - from) * 2 > this.room ? 2 : 1);
    const moved = (column: Float64Array, width: number): Float64Array<ArrayBuffer> => {
      const fresh = new Float64Array(room * width);
      fresh.set(column.subarray(from * width, to * width));
      return fresh;
    };
    this.starts = moved(this.starts, 1);
    this.ends = moved(this.ends, 1);
    this.owners = moved(this.owners, 1);
    this.since = moved(this.since, 1);
    this.costs = moved(this.costs, 1);
    this.marks = moved(this.marks, followedPricesMax);
  }
}
