// bun scripts/record-session.ts [NAME…] records the sessions in test/golden/.
// Real clients talk to real servers, and a program between them records each line.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goldenRoot, readSession, type SpokenLine, writeSession } from "../test/support/golden.ts";
import { normaliser } from "../test/support/golden-normalise.ts";
import { type GoldenSession, goldenSessions } from "../test/support/golden-sessions.ts";
import type { ServerCommand } from "../test/support/servers.ts";

const tee = join(import.meta.dir, "..", "test", "support", "golden-tee.ts");

const recordThrough = (server: ServerCommand, recordings: string): ServerCommand => ({
  ...server,
  argv: [process.execPath, tee, recordings, "--", ...server.argv],
});

function nameFiles(count: number): readonly string[] {
  if (count === 1) return ["session.ndjson"];
  if (count === 2) return ["probe.ndjson", "session.ndjson"];
  throw new Error(`expected one or two recordings, found ${count}`);
}

function saveRecordings(name: string, recordings: readonly (readonly SpokenLine[])[]): void {
  const names = nameFiles(recordings.length);
  for (const [at, spoken] of recordings.entries()) {
    const file = join(goldenRoot, name, names[at] ?? "");
    const wrote = writeSession(file, spoken);
    console.log(`${wrote ? "written  " : "unchanged"} ${name}/${names[at]} ${spoken.length} lines`);
  }
}

async function record({ name, start, play }: GoldenSession): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "golden-"));
  const [folder, recordings] = [join(scratch, "garden"), join(scratch, "notes")];
  mkdirSync(folder);
  mkdirSync(recordings);
  try {
    await play(recordThrough(start(folder), recordings), folder);
    const clean = normaliser(folder);
    const files = readdirSync(recordings).toSorted();
    saveRecordings(
      name,
      files.map((file) =>
        readSession(join(recordings, file)).map(({ at_ms, from, line }) => ({
          at_ms,
          from,
          line: clean(line),
        })),
      ),
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => goldenSessions.every((session) => session.name !== name));
if (unknown.length > 0) {
  console.error(`Cannot record "${unknown.join(" ")}": there is no such session`);
  process.exit(2);
}
for (const session of goldenSessions) {
  if (wanted.length === 0 || wanted.includes(session.name)) await record(session);
}
process.exit(0);
