import { basename } from "node:path";
import { type FSWatcher, watch } from "node:fs";
import { readInode } from "../record-file.ts";

// Without a name, any file may have changed.
type NotifyChange = (folder: string, name: string | undefined) => void;

type Watched = { readonly watcher: FSWatcher; readonly inode: number };

// Not recursive. `set` watches again a folder that was removed and recreated.
export class WatchedFolders {
  readonly #notify: NotifyChange;
  readonly #watched = new Map<string, Watched>();
  #hasFailed = false;

  constructor(notify: NotifyChange) {
    this.#notify = notify;
  }

  // True if the system refused to watch a folder, so that changes must be found without events.
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

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
        // The folder itself was removed; a recreated folder often gets the same inode.
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
