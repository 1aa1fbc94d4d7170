import { type FSWatcher, statSync, watch } from "node:fs";
import { basename } from "node:path";

/** Without a name, any may have changed. */
export type FolderChanged = (folder: string, name: string | undefined) => void;

type Watched = { readonly watcher: FSWatcher; readonly inode: number };

/** Without their subfolders. A folder that is removed and made again is watched again by `set`. */
export class WatchedFolders {
  readonly #changed: FolderChanged;
  readonly #watched = new Map<string, Watched>();
  #hasFailed = false;

  constructor(changed: FolderChanged) {
    this.#changed = changed;
  }

  /** The system refused to watch a folder: its changes must be found otherwise. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  set(folders: readonly string[]): readonly string[] {
    for (const [folder, { inode }] of this.#watched) {
      if (!folders.includes(folder) || inodeOf(folder) !== inode) this.#forget(folder);
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
    const inode = inodeOf(folder);
    if (inode === undefined) return;
    try {
      const watcher = watch(folder, (_event, name) => {
        // The event of its own removal: a folder that is made again often gets the same inode.
        if (name === basename(folder)) this.#forget(folder);
        this.#changed(folder, name ?? undefined);
      });
      watcher.on("error", () => undefined);
      this.#watched.set(folder, { watcher, inode });
    } catch {
      // Too many are watched on this machine already.
      this.#hasFailed = true;
    }
  }
}

function inodeOf(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}
