import { reportCellsMax } from "../limits.ts";
import type { CountedCall } from "#records/record.ts";
import { type CallKind, CallKinds, isOfKind } from "./call-kinds.ts";
import type { CallCell, SessionState } from "./session-state.ts";
import { addCallTo, noSums } from "./sums.ts";

type CallPlace = Pick<CallCell, "range" | "day">;

export class CallCells {
  readonly #cells: CallCell[] = [];
  readonly #kinds = new CallKinds();

  add(session: SessionState, call: CountedCall, place: CallPlace): boolean {
    const cell = this.#cellOf(session, call, place);
    if (!cell) return false;
    addCallTo(cell.sums, call);
    this.#compare(session, call, cell);
    return true;
  }

  #compare({ repeats }: SessionState, call: CountedCall, { kind, range, number }: CallCell): void {
    const { tool, arguments_sha256: hash, seq, outcome } = call;
    if (tool === null || hash === null || outcome === "refused") return;
    const tokens = call.input_tokens + call.output_tokens;
    const repeat = repeats.add(kind.group * 2 + range, hash, { seq, tokens, cell: number });
    const counting = repeat && this.#cells[repeat.cell];
    if (!counting) return;
    counting.sums.repeated_calls += 1;
    counting.sums.repeated_tokens += repeat.tokens;
  }

  #cellOf(
    session: SessionState,
    call: CountedCall,
    { range, day }: CallPlace,
  ): CallCell | undefined {
    const newest = session.newestCells.get(call.tool);
    if (newest?.day === day && newest.range === range && isOfKind(newest.kind, call)) return newest;
    const known = session.cells.get(cellKey(range, day, this.#kinds.kindOf(call)));
    if (!known && this.#cells.length >= reportCellsMax) return undefined;
    const cell = known ?? this.#addCell(session, call, { range, day });
    session.newestCells.set(cell.kind.tool, cell);
    return cell;
  }

  #addCell({ cells }: SessionState, call: CountedCall, { range, day }: CallPlace): CallCell {
    const kind = this.#kinds.kindOf(call);
    const cell = { range, day, kind, number: this.#cells.length, sums: noSums() };
    cells.set(cellKey(range, day, kind), cell);
    this.#cells.push(cell);
    return cell;
  }
}

function cellKey(range: number, day: number, kind: CallKind): number {
  return (kind.number * 2 + range) * 2 ** 24 + day + 2 ** 23;
}
