import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ClientDriver } from "./client.ts";
import { drivers } from "./drivers/index.ts";

/** The command line, parsed. */
export type CliOptions = {
  readonly driver: ClientDriver;
  readonly version: string;
  readonly executable: string;
  /** True to print the tables without writing them into the document. */
  readonly isDry: boolean;
  /** True to keep the folder with all requests and records. */
  readonly isKept: boolean;
};

const names = drivers.map(({ id }) => id).join("|");

/** The help text. */
export const usage = `bun scripts/clients/run.ts ${names} [options]

Installs a client from npm into a temporary folder, runs it headless against an imitated model API on loopback,
in front of a server with every kind of answer, and compares the text that its model reads with the records of
mcp-meter. Writes the result into docs/notes/clients.md. The client's own telemetry and updates are switched off.

  --version V        version of the client, latest by default
  --executable FILE  the program under test, dist/mcp-meter by default
  --dry-run          print the result, and leave the document unchanged
  --keep             keep the temporary folder, with all requests and records
  --help             print this text

Ends with 0 when everything agrees, with 1 when something differs, with 2 for a mistake in the options, with 3
when the client could not be installed or ended early.`;

const root = join(import.meta.dir, "../..");

/** Parses argv; undefined asks for help. Throws an Error of one sentence when it is not valid. */
export function parseCliOptions(rawArguments: readonly string[]): CliOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...rawArguments],
    allowPositionals: true,
    options: {
      version: { type: "string", default: "latest" },
      executable: { type: "string", default: join(root, "dist/mcp-meter") },
      "dry-run": { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const [name, ...more] = positionals;
  if (name === undefined) throw new Error(`The name of a client is missing: ${names}`);
  if (more.length > 0) throw new Error(`Unexpected argument "${more[0]}"`);
  const driver = drivers.find(({ id }) => id === name);
  if (!driver) throw new Error(`Unknown client "${name}"; the clients are ${names}`);
  return {
    driver,
    version: values.version,
    executable: resolve(values.executable),
    isDry: values["dry-run"],
    isKept: values.keep,
  };
}
