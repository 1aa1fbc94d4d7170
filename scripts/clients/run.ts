/** `bun scripts/clients/run.ts`: compares the text that a real client's model reads with mcp-meter's records. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { type CliOptions, parseCliOptions, usage } from "./cli-options.ts";
import { renderMeasurement, renderProblems, replaceMeasurement } from "./document.ts";
import { install } from "./install.ts";
import { measure } from "./measure.ts";
import { findProblems, type Measurement } from "./measurement.ts";

const exitDiffers = 1;
const exitUsage = 2;
const exitNotRun = 3;

const root = join(import.meta.dir, "../..");
const documentFile = join(root, "docs/notes/clients.md");

process.exitCode = await main(process.argv.slice(2));

async function main(rawArguments: readonly string[]): Promise<number> {
  let options: CliOptions | undefined;
  try {
    options = parseCliOptions(rawArguments);
  } catch (error) {
    console.error(`${sentenceOf(error)}\n\n${usage}`);
    return exitUsage;
  }
  if (options === undefined) {
    console.log(usage);
    return 0;
  }
  if (!existsSync(options.executable)) {
    console.error(
      `Cannot start "${options.executable}": it does not exist; bun run build makes it`,
    );
    return exitUsage;
  }
  try {
    return await run(options);
  } catch (error) {
    console.error(sentenceOf(error));
    return exitNotRun;
  }
}

async function run(options: CliOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-meter-clients-"));
  try {
    const measurement = await measureIn(folder, options);
    const text = renderMeasurement(measurement);
    console.log(`${text}\n\n${renderProblems(measurement)}`);
    if (!options.isDry) await write(options.driver.id, text);
    return findProblems(measurement).length === 0 ? 0 : exitDiffers;
  } finally {
    if (options.isKept) say(`Kept ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(folder: string, options: CliOptions): Promise<Measurement> {
  const { driver, executable } = options;
  const installed = join(folder, "installed");
  mkdirSync(installed);
  say(`Installing ${driver.package}@${options.version}`);
  const version = await install(driver.package, options.version, installed);
  return await measure({ driver, version, folder, installed, executable, say });
}

async function write(id: string, text: string): Promise<void> {
  const document = readFileSync(documentFile, "utf8");
  writeFileSync(documentFile, replaceMeasurement(document, id, text));
  await execa({ cwd: root, stdio: "ignore" })`${process.execPath} fmt --no-script ${documentFile}`;
}

function say(sentence: string): void {
  console.error(sentence);
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
