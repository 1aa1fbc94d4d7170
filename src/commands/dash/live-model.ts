import { type CompleteFacts, DashModel, type ModelDays } from "#screens/dash/model/model.ts";
import type { MeterRecord } from "#records/record.ts";
import { dayMs, type DayNumber, parseDay, type TimeZone } from "#history/reports/calendar.ts";
import { parseAge } from "#kit/text/durations.ts";
import { KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import type { ImportedUsage } from "#history/reports/advice/advice-fold.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import type { UsageFact } from "#history/reports/usage-cube.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import {
  findRemainingSources,
  listFactsOfRemovedRecords,
  findMachineImports,
  readWithImports,
} from "../report/read-usage.ts";
import { dashSentences, type PageNotes } from "./page-data.ts";
import { commandSentences } from "../sentences.ts";

type ReadAll = (model: DashModel) => Promise<void>;

type ChooseFirstDay = (today: DayNumber) => DayNumber;

// Takes a date or an age. An age is rounded up to whole days, and today is the last of them.
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
  #refreshes = 0;

  constructor(zone: TimeZone, { chooseFirstDay, read, nowMs }: LiveModelOptions) {
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
    return `${this.#refreshes} ${this.#model.version}`;
  }

  readonly take = (record: MeterRecord): void => {
    this.#model.add(record);
    this.#next?.add(record);
  };

  start(): Promise<void> {
    return this.#readInto(this.#model);
  }

  // Pages show the old model while everything is read again.
  async refresh(nowMs: number, haveFilesChanged: () => boolean = () => false): Promise<void> {
    if (this.#isReading) return;
    if (this.#zone.findDay(nowMs) === this.#model.today && !haveFilesChanged()) return;
    const next = new DashModel(this.#planDays(nowMs));
    this.#next = next;
    try {
      await this.#readInto(next);
      this.#model = next;
      this.#refreshes += 1;
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

type LiveModelOptions = {
  readonly chooseFirstDay: ChooseFirstDay;
  readonly read: ReadAll;
  readonly nowMs: number;
};

// Reading pauses after this long, so that the server can answer the requests of the page.
const readingSliceMs = 20;

type ModelSources = {
  readonly folder: string;
  readonly notes: PageNotes;
  readonly prices: { readonly book: PriceBook | undefined };
};

export async function fillModel(model: DashModel, sources: ModelSources): Promise<void> {
  const { folder, notes } = sources;
  const { fromMs, zone } = model;
  const readingNotes: string[] = [];
  const addReadingNote = (sentence: string): void => void readingNotes.push(sentence);
  const machineSources = findRemainingSources(folder, fromMs);
  const imports = findMachineImports(folder, fromMs);
  const files = machineSources.sources.length + imports.sources.length;
  let filesRead = 0;
  let lastPauseMs = performance.now();
  const afterFile = async (): Promise<void> => {
    filesRead += 1;
    if (performance.now() - lastPauseMs < readingSliceMs) return;
    notes.setCurrent("progress", dashSentences.dashReading(filesRead, files));
    await Bun.sleep(0);
    lastPauseMs = performance.now();
  };
  const take = (record: MeterRecord): boolean => model.add(record);
  const reading = { take, tell: addReadingNote, imports, afterFile };
  const imported = await readWithImports(machineSources, reading);
  model.addHistory(imported);
  model.completeWith(makeCompleter(imported, sources, zone));
  if (model.leftOut > 0) addReadingNote(commandSentences.recordsLeftOut(model.leftOut));
  if (model.calls.leftOut > 0) addReadingNote(dashSentences.dashCallsLeftOut(model.calls.leftOut));
  notes.readingNotes = readingNotes;
  notes.setCurrent("progress", undefined);
}

function makeCompleter(
  imported: ImportedUsage,
  { folder, notes, prices }: ModelSources,
  zone: TimeZone,
): CompleteFacts {
  const factsOfRemovedRecordsByStart = new Map<number, readonly UsageFact[]>();
  return (metered, { fromMs, needsPrices }) => {
    const book = needsPrices ? prices.book : undefined;
    const plan = { ranges: [{ fromMs, toMs: Infinity }], zone, prices: book };
    const known = new KnownDefinitions(metered.listDefinitions());
    const facts = imported.history.isEmpty
      ? metered.makeFacts()
      : addImportedFacts(metered.makeFacts(), { ...imported, known }, plan).facts;
    const totalsPlan = { ...plan, nowMs: Date.now(), needsRecords: false };
    const ofRemovedRecords = factsOfRemovedRecordsByStart.getOrInsertComputed(fromMs, () =>
      listFactsOfRemovedRecords(folder, totalsPlan, notes.tell),
    );
    return [...facts, ...ofRemovedRecords];
  };
}
