import { DashModel, type ModelDays } from "#screens/dash/model/model.ts";
import type { MeterRecord } from "#records/record.ts";
import { dayMs, type DayNumber, parseDay, type TimeZone } from "#history/reports/calendar.ts";
import { parseAge } from "#kit/text/numbers.ts";
import { KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import type { TotalsPlan } from "#history/reports/totals/removed-usage.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import {
  findMachineSources,
  listRemovedFacts,
  findMachineImports,
  readWithImports,
} from "../report/read-usage.ts";
import type { PageNotes } from "./page-data.ts";
import { dashSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";

export type ReadAll = (model: DashModel) => Promise<void>;

type ChooseFirstDay = (today: DayNumber) => DayNumber;

/** Takes a date, or an age, which is rounded up to whole days; the last of them is today. */
export function parseSince(since: string): ChooseFirstDay {
  const age = parseAge(since) ?? 0;
  return (today) => parseDay(since) ?? today - Math.max(1, Math.ceil(age / dayMs)) + 1;
}

export class LiveModel {
  readonly #zone: TimeZone;
  readonly #chooseFirstDay: ChooseFirstDay;
  readonly #read: ReadAll;
  #model: DashModel;
  #next: DashModel | undefined;
  #isReading = false;
  #readings = 0;

  constructor(zone: TimeZone, { chooseFirstDay, read, nowMs }: LiveModelParts) {
    this.#zone = zone;
    this.#chooseFirstDay = chooseFirstDay;
    this.#read = read;
    this.#model = new DashModel(this.#planDays(nowMs));
  }

  get model(): DashModel {
    return this.#model;
  }

  get isFirstReading(): boolean {
    return this.#isReading && this.#next === undefined;
  }

  get version(): string {
    return `${this.#readings} ${this.#model.version}`;
  }

  readonly take = (record: MeterRecord): void => {
    this.#model.add(record);
    this.#next?.add(record);
  };

  start(): Promise<void> {
    return this.#readInto(this.#model);
  }

  /** Reads everything again on a new day or after a change. Pages show the old model meanwhile. */
  async refresh(nowMs: number, haveFilesChanged: () => boolean = () => false): Promise<void> {
    if (this.#isReading) return;
    if (this.#zone.findDay(nowMs) === this.#model.today && !haveFilesChanged()) return;
    const next = new DashModel(this.#planDays(nowMs));
    this.#next = next;
    try {
      await this.#readInto(next);
      this.#model = next;
      this.#readings += 1;
    } finally {
      this.#next = undefined;
    }
  }

  async #readInto(model: DashModel): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read(model);
    } finally {
      this.#isReading = false;
    }
  }

  #planDays(nowMs: number): ModelDays {
    const first = this.#chooseFirstDay(this.#zone.findDay(nowMs));
    return { zone: this.#zone, fromMs: this.#zone.findDayStart(first), nowMs };
  }
}

type LiveModelParts = {
  readonly chooseFirstDay: ChooseFirstDay;
  readonly read: ReadAll;
  readonly nowMs: number;
};

const readingSliceMs = 20;

type ModelReading = {
  readonly folder: string;
  readonly notes: PageNotes;
  readonly prices: { readonly book: PriceBook | undefined };
};

export async function readModel(
  model: DashModel,
  { folder, notes, prices }: ModelReading,
): Promise<void> {
  const { fromMs, zone } = model;
  const sentences: string[] = [];
  const tell = (sentence: string): void => void sentences.push(sentence);
  const machineSources = findMachineSources(folder, fromMs);
  let filesRead = 0;
  let lastPauseMs = performance.now();
  const pause = async (): Promise<void> => {
    filesRead += 1;
    if (performance.now() - lastPauseMs < readingSliceMs) return;
    notes.progress = dashSentences.dashReading(filesRead, machineSources.sources.length);
    await Bun.sleep(0);
    lastPauseMs = performance.now();
  };
  const take = (record: MeterRecord): boolean => model.add(record);
  const imports = findMachineImports(folder, fromMs);
  const { history, pairs } = await readWithImports(machineSources, { take, tell, imports, pause });
  const removedFacts = new Map<number, readonly UsageFact[]>();
  const readRemoved = (plan: Pick<TotalsPlan, "ranges" | "zone">): readonly UsageFact[] =>
    listRemovedFacts(folder, { ...plan, nowMs: Date.now(), needsRecords: false }, notes.tell);
  model.addHistory({ history, pairs });
  model.completeWith((wire, { fromMs: beginMs, isCosted }) => {
    const book = isCosted ? prices.book : undefined;
    const plan = { ranges: [{ fromMs: beginMs, toMs: Infinity }], zone, prices: book };
    const known = new KnownDefinitions(wire.listDefinitions());
    const facts = history.isEmpty
      ? wire.makeFacts()
      : addImportedFacts(wire.makeFacts(), { history, pairs, known }, plan).facts;
    const removed = removedFacts.get(beginMs) ?? readRemoved(plan);
    removedFacts.set(beginMs, removed);
    return [...facts, ...removed];
  });
  if (model.leftOut > 0) tell(commandSentences.recordsLeftOut(model.leftOut));
  if (model.calls.leftOut > 0) tell(dashSentences.dashCallsLeftOut(model.calls.leftOut));
  notes.readingNotes = sentences;
  notes.progress = undefined;
}
