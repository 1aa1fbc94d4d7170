import { Database } from "bun:sqlite";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "./folder.ts";
import { logsFolder } from "./logs.ts";

/** A copy of an example home in which each file `NAME.sql` has become the database `NAME`. */
export class DatabaseHome extends Folder {
  readonly databases: readonly string[];

  constructor(id: string) {
    super();
    cpSync(join(logsFolder, id), this.path, { recursive: true });
    this.#nameProjects();
    const scripts = [...new Bun.Glob("**/*.db.sql").scanSync({ cwd: this.path, dot: true })];
    this.databases = scripts.map((script) => join(this.path, script.slice(0, -".sql".length)));
    for (const path of this.databases) {
      using database = new Database(path);
      database.run(readFileSync(`${path}.sql`, "utf8"));
    }
  }

  // A list of projects has absolute paths.
  #nameProjects(): void {
    for (const path of new Bun.Glob("**/projects.json").scanSync({ cwd: this.path, dot: true })) {
      const file = join(this.path, path);
      writeFileSync(file, readFileSync(file, "utf8").replaceAll("/home/me", this.path));
    }
  }
}
