import { followedPricesMax } from "#limits/records.ts";

const firstRoom = 64;

export class PartColumns {
  starts = new Float64Array(firstRoom);
  ends = new Float64Array(firstRoom);
  owners = new Float64Array(firstRoom);
  since = new Float64Array(firstRoom);
  costs = new Float64Array(firstRoom);
  /** Rows of `followedPricesMax`: the counts of cached turns that are in `costs` or before. */
  marks = new Float64Array(firstRoom * followedPricesMax);

  get room(): number {
    return this.starts.length;
  }

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
