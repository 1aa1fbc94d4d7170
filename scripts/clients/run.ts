import { execa } from "execa";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ClientDriver } from "./client.ts";
import {
  findProblems,
  type Measurement,
  renderMeasurement,
  renderProblems,
  replaceMeasurement,
} from "./document.ts";
import { drivers } from "./drivers/index.ts";
import { measure } from "./measure.ts";
import { install } from "./play.ts";
import { setNames } from "./server/kinds.ts";

const exitDiffers = 1;
const exitUsage = 2;
const exitNotRun = 3;

const root = join(import.meta.dir, "../..");
const documentFile = join(root, "docs/notes/clients.md");
const names = drivers.map(({ id }) => id).join("|");

const usage = `bun scripts/clients/run.ts ${names} [options]

Installs a client from npm into a temporary folder, runs it headless against an imitated model API on loopback,
in front of a server with every kind of answer, and compares the text that its model reads with the records of
mcp-meter. Writes the result into docs/notes/clients.md. The client's own telemetry and updates are switched off.

  --set NAME         only these answers: ${setNames.join(", ")}; repeatable
  --era legacy|modern  the revision of the server; modern is 2026-07-28
  --version V        version of the client, latest by default
  --executable FILE  the executable to test, dist/mcp-meter by default
  --dry-run          print the result without changing the document
  --keep             keep the temporary folder, with all requests and records
  --help             print this text

Exit codes: 0 if everything agrees, 1 if something differs, 2 for a usage error, 3 if the client could not be
installed or ended early.`;

type Options = {
  readonly driver: ClientDriver;
  readonly version: string;
  readonly sets: readonly string[];
  readonly era: "legacy" | "modern";
  readonly executable: string;
  readonly isDry: boolean;
  readonly isKept: boolean;
};

process.exitCode = await main(process.argv.slice(2));

async function main(rawArguments: readonly string[]): Promise<number> {
  if (rawArguments.includes("--help")) {
    console.log(usage);
    return 0;
  }
  let options: Options;
  try {
    options = parseOptions(rawArguments);
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return exitUsage;
  }
  try {
    return await run(options);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return exitNotRun;
  }
}

function parseOptions(rawArguments: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...rawArguments],
    allowPositionals: true,
    options: {
      version: { type: "string", default: "latest" },
      set: { type: "string", multiple: true, default: [...setNames] },
      era: { type: "string", default: "legacy" },
      executable: { type: "string", default: join(root, "dist/mcp-meter") },
      "dry-run": { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
    },
  });
  const { version, set: sets, era, executable, "dry-run": isDry, keep: isKept } = values;
  const driver = drivers.find(({ id }) => id === positionals[0]);
  if (!driver || positionals.length !== 1) throw new Error(`Name one client of ${names}`);
  if (era !== "legacy" && era !== "modern") throw new Error(`Unknown era "${era}"`);
  const unknown = sets.find((set) => !setNames.includes(set));
  if (unknown !== undefined) throw new Error(`Unknown set "${unknown}"`);
  if (!existsSync(executable))
    throw new Error(`Cannot start "${executable}": it does not exist; bun run build makes it`);
  return { driver, version, sets, era, executable: resolve(executable), isDry, isKept };
}

async function run(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-meter-clients-"));
  try {
    const measurement = await measureIn(folder, options);
    const text = renderMeasurement(measurement);
    console.log(`${text}\n\n${renderProblems(measurement)}`);
    if (!options.isDry) await write(nameSection(options), text);
    return findProblems(measurement).length === 0 ? 0 : exitDiffers;
  } finally {
    if (options.isKept) say(`Kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(folder: string, options: Options): Promise<Measurement> {
  const { driver, executable, sets, era } = options;
  const installed = join(folder, "installed");
  mkdirSync(installed);
  say(`Installing ${driver.package}@${options.version}`);
  const also = driver.alsoInstalls === undefined ? [] : [driver.alsoInstalls];
  const version = await install(driver.package, options.version, installed, also);
  return await measure({ driver, version, era, folder, installed, executable, say }, sets);
}

function nameSection({ driver, era }: Options): string {
  return era === "modern" ? `${driver.id} modern` : driver.id;
}

async function write(id: string, text: string): Promise<void> {
  const document = readFileSync(documentFile, "utf8");
  writeFileSync(documentFile, replaceMeasurement(document, id, text));
  await execa({ cwd: root, stdio: "ignore" })`${process.execPath} fmt --no-script ${documentFile}`;
}

function say(sentence: string): void {
  console.error(sentence);
}
