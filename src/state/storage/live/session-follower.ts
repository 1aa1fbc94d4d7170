import { setBounded } from "#kit/limits.ts";
import { tryParseJson } from "#kit/errors.ts";
import { basename, dirname, join } from "node:path";
import { type FSWatcher, watch } from "node:fs";
import { readInode } from "../record-file.ts";
import type { MeterRecord } from "#records/record.ts";
import { SessionContext } from "#records/definition-summary.ts";
import { isRecord } from "../read-records.ts";
import {
  listDayFolders,
  readFileFacts,
  type FileFacts,
  isRecordFileName,
  listRecordFiles,
  sessionFilesMax,
} from "./session-files.ts";
import { type TakeLine, FollowedFile } from "./followed-file.ts";

// If `name` is undefined, any file may have changed.
type NotifyChange = (folder: string, name: string | undefined) => void;

type Watched = { readonly watcher: FSWatcher; readonly inode: number };

// Not recursive. `set` watches a folder again if it was removed and recreated.
export class WatchedFolders {
  readonly #notify: NotifyChange;
  readonly #watched = new Map<string, Watched>();
  #hasFailed = false;

  constructor(notify: NotifyChange) {
    this.#notify = notify;
  }

  // True if the system refused to watch a folder. Its changes must then be found without events.
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  // Returns the folders that were not watched before.
  set(folders: readonly string[]): readonly string[] {
    for (const [folder, { inode }] of this.#watched) {
      if (!folders.includes(folder) || readInode(folder) !== inode) this.#forget(folder);
    }
    this.#hasFailed = false;
    const added = folders.filter((folder) => !this.#watched.has(folder));
    for (const folder of added) this.#watch(folder);
    return added;
  }

  close(): void {
    this.set([]);
  }

  #forget(folder: string): void {
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }

  #watch(folder: string): void {
    const inode = readInode(folder);
    if (inode === undefined) return;
    try {
      const watcher = watch(folder, (_event, name) => {
        // An event with the folder's name shows that the folder was removed. A recreated folder often gets the same
        // inode, so `set` could miss the removal.
        if (name === basename(folder)) this.#forget(folder);
        this.#notify(folder, name ?? undefined);
      });
      watcher.on("error", () => undefined);
      this.#watched.set(folder, { watcher, inode });
    } catch {
      this.#hasFailed = true;
    }
  }
}

export const followCheckMs = 1_000;

export const followedFilesMax = 128;

const contextsPerFileMax = 64;

// The number of newest day folders that every check searches for new files.
const closelyCheckedDays = 2;

// The time between checks while events are not enough: a call must appear within 100 ms.
const followPollMs = 50;

export type TakeFollowed = (record: MeterRecord, context: SessionContext, isNew: boolean) => void;

type Followed = { readonly file: FollowedFile; readonly contexts: Map<string, SessionContext> };

// Opens only new and changed files, at most `followedFilesMax` at a time.
export class SessionFollower {
  readonly #sessions: string;
  readonly #take: TakeFollowed;
  readonly #folders = new WatchedFolders((folder, name) => this.#handleChange(folder, name));
  // The number of old bytes in each known file: its size when following began, or the end of the last line read.
  readonly #oldBytes = new Map<string, number>();
  #recent: readonly string[] = [];
  readonly #followed = new Map<string, Followed>();
  // Days with files that were not examined when following began: there, a record's time shows whether it is new.
  #partlyKnownDays: ReadonlySet<string> = new Set();
  #beganMs = 0;
  #timer: Timer | undefined;
  readonly #filesMax: number;

  constructor(sessions: string, take: TakeFollowed, filesMax: number = sessionFilesMax) {
    this.#sessions = sessions;
    this.#take = take;
    this.#filesMax = filesMax;
  }

  start(): readonly FileFacts[] {
    this.#beganMs = Date.now();
    const paths = listDayFolders(this.#sessions).flatMap((day) => listRecordFiles(day));
    this.#partlyKnownDays = new Set(paths.slice(this.#filesMax).map((path) => dirname(path)));
    const facts = paths.slice(0, this.#filesMax).flatMap((path) => readFileFacts(path) ?? []);
    for (const { path, bytes } of facts) this.#oldBytes.set(path, bytes);
    const newest = facts.toSorted((a, b) => b.changedMs - a.changedMs);
    this.#recent = newest.slice(0, followedFilesMax).map(({ path }) => path);
    this.#check();
    return newest;
  }

  read(path: string): void {
    const followed = this.#followed.get(path) ?? this.#follow(path);
    const { file, contexts } = followed;
    // The file is added again below as the newest, because `#follow` forgets the oldest file.
    this.#followed.delete(path);
    const isPartlyKnown = this.#partlyKnownDays.has(dirname(path));
    const take: TakeLine = (bytes, isNewLine) => {
      const record = parseRecord(bytes);
      if (!record) return;
      const isNew = isNewLine && !(isPartlyKnown && Date.parse(record.ts) < this.#beganMs);
      this.#take(record, updateContext(record, contexts), isNew);
    };
    if (file.read(take, performance.now())) this.#followed.set(path, followed);
    else this.#oldBytes.delete(path);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#folders.close();
    for (const { file } of this.#followed.values()) file.close();
    this.#followed.clear();
  }

  // The file will be read from its beginning, because a session's context includes earlier records.
  #follow(path: string): Followed {
    const [oldest] = this.#followed;
    if (oldest && this.#followed.size >= followedFilesMax) this.#forget(...oldest);
    const oldBytes = this.#oldBytes.get(path) ?? 0;
    this.#oldBytes.set(path, oldBytes);
    return { file: new FollowedFile(path, oldBytes), contexts: new Map() };
  }

  #forget(path: string, { file }: Followed): void {
    this.#oldBytes.set(path, file.lineEnd);
    this.#followed.delete(path);
    file.close();
  }

  #handleChange(folder: string, name: string | undefined): void {
    const isFileEvent =
      folder !== this.#sessions && name !== undefined && name !== basename(folder);
    if (!isFileEvent) this.#check();
    else if (isRecordFileName(name)) this.read(join(folder, name));
  }

  // Also finds changes for which no event came.
  #check(): void {
    clearTimeout(this.#timer);
    const days = listDayFolders(this.#sessions);
    const added = this.#folders.set([this.#sessions, ...days]);
    const { hasFailed } = this.#folders;
    const searchedDays = days.filter(
      (day, at) =>
        at < closelyCheckedDays || (added.includes(day) && !this.#partlyKnownDays.has(day)),
    );
    for (const path of searchedDays.flatMap((day) => listRecordFiles(day))) {
      if (!this.#oldBytes.has(path)) this.read(path);
    }
    // A copy of the keys: reading reorders the map.
    const followed = [...this.#followed.keys()];
    for (const path of followed) this.read(path);
    for (const path of this.#recent) this.#readIfChanged(path);
    const areEventsEnough = !hasFailed && added.length === 0 && days.length > 0;
    this.#timer = setTimeout(() => this.#check(), areEventsEnough ? followCheckMs : followPollMs);
  }

  #readIfChanged(path: string): void {
    if (this.#followed.has(path)) return;
    if (readFileFacts(path)?.bytes !== this.#oldBytes.get(path)) this.read(path);
  }
}

const decoder = new TextDecoder();

function parseRecord(bytes: Uint8Array): MeterRecord | undefined {
  const value = tryParseJson(decoder.decode(bytes));
  return isRecord(value) && Number.isFinite(Date.parse(value.ts)) ? value : undefined;
}

function updateContext(record: MeterRecord, contexts: Map<string, SessionContext>): SessionContext {
  let context = contexts.get(record.session_id);
  if (!context) {
    context = new SessionContext();
    setBounded(contexts, record.session_id, context, contextsPerFileMax);
  }
  context.add(record);
  return context;
}
