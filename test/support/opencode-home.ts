import { Database } from "bun:sqlite";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "./folder.ts";
import { logsFolder } from "./logs.ts";

const data = ".local/share/opencode";

export class OpenCodeHome extends Folder {
  readonly folder = this.at(data);
  readonly database = join(this.folder, "opencode.db");

  constructor() {
    super();
    cpSync(join(logsFolder, "opencode"), this.path, { recursive: true });
    writeFileSync(join(this.folder, "storage/message/ses_0/msg_bad.json"), '{"id":"msg_bad",');
    using database = new Database(this.database);
    database.run(readFileSync(join(this.folder, "schema-and-rows.sql"), "utf8"));
  }
}

export const openCodeTotals = JSON.parse(
  readFileSync(join(logsFolder, "opencode", "expected.json"), "utf8"),
);
