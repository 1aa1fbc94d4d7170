import type { DashModel } from "#screens/dash/model/model.ts";
import type { MeterRecord } from "#records/record.ts";
import { KnownDefinitions } from "#history/reports/imported/known-definitions.ts";
import { withImported } from "#history/reports/imported/imported-facts.ts";
import type { TotalsPlan } from "#history/reports/totals/removed-usage.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { machineSources, removedFacts } from "../report/read-usage.ts";
import { machineImports, readWithImports } from "../report/read-with-imports.ts";
import type { PageNotes } from "./notes.ts";
import { dashSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";

const dashReadingMs = 20;

export type ModelReading = {
  readonly folder: string;
  readonly notes: PageNotes;
  readonly prices: PriceBook | undefined;
};

/** Like `report`, reads records of logs and of removed sessions too. The page is served meanwhile. */
export async function readModel(
  model: DashModel,
  { folder, notes, prices }: ModelReading,
): Promise<void> {
  const { fromMs, zone } = model;
  const said: string[] = [];
  const tell = (sentence: string): void => void said.push(sentence);
  const found = machineSources(folder, fromMs);
  let files = 0;
  let pausedMs = performance.now();
  const pause = async (): Promise<void> => {
    files += 1;
    if (performance.now() - pausedMs < dashReadingMs) return;
    notes.progress = dashSentences.dashReading(files, found.sources.length);
    await Bun.sleep(0);
    pausedMs = performance.now();
  };
  const take = (record: MeterRecord): boolean => model.take(record);
  const imports = machineImports(folder, fromMs);
  const { history, pairs } = await readWithImports(found, { take, tell, imports, pause });
  const removedBy = new Map<number, readonly UsageFact[]>();
  const readRemoved = (plan: Pick<TotalsPlan, "ranges" | "zone">): readonly UsageFact[] =>
    removedFacts(folder, { ...plan, nowMs: Date.now(), isBySession: false }, notes.tell);
  model.complete = (wire, beginMs) => {
    const plan = { ranges: [{ fromMs: beginMs, toMs: Infinity }], zone, prices };
    const known = new KnownDefinitions(wire.definitions());
    const all = history.isEmpty
      ? wire.facts()
      : withImported(wire.facts(), { history, pairs, known }, plan).facts;
    const removed = removedBy.get(beginMs) ?? readRemoved(plan);
    removedBy.set(beginMs, removed);
    return [...all, ...removed];
  };
  if (model.leftOut > 0) tell(commandSentences.recordsLeftOut(model.leftOut));
  if (model.calls.leftOut > 0) tell(dashSentences.dashCallsLeftOut(model.calls.leftOut));
  notes.ofReading = said;
  notes.progress = undefined;
}
