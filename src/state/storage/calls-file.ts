import { UserError } from "#kit/errors.ts";
import { readWholeFile, openToWrite } from "#kit/os/open-file.ts";
import {
  findDuplicate,
  findOffset,
  makePositionFinder,
  type SourceFault,
  type SourcePath,
} from "#kit/syntax/syntax-tree.ts";
import { exceedsBounds } from "#wire/json.ts";
import { parseJson } from "#kit/syntax/jsonc.ts";
import { parseYaml, writeYaml } from "#kit/syntax/yaml.ts";
import { storageSentences } from "./sentences.ts";
import { closeSync, constants, fchmodSync, fstatSync, write } from "node:fs";
import { promisify } from "node:util";
import type { RecordedCall } from "#check/call-recorder.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { Tell } from "#kit/text/teller.ts";
import { recordFlushMaxMs } from "../sinks/record-queue.ts";
import { commonSentences } from "#kit/sentences.ts";

export const callsBytesMax = 4 * 1024 * 1024;

type CallsFile = {
  readonly value: unknown;
  readonly findLine: (path: SourcePath) => number;
  readonly makeError: (fault: string, path: SourcePath, target: "name" | "value") => UserError;
};

// UTF-8, with or without a byte order mark. Throws UserError with the line and column of a mistake.
export function readCallsFile(file: string): CallsFile {
  const text = readText(file);
  const locate = makePositionFinder(text);
  const makeError = ({ fault, offset }: SourceFault): UserError => {
    const { line, column } = locate(offset);
    const sentence = storageSentences.callsMalformed(file, line, column, fault);
    return new UserError(sentence, undefined, { file, line });
  };
  const isYaml = /\.ya?ml$/i.test(file);
  const source = isYaml ? parseYaml(text) : parseJson(text);
  if ("fault" in source) {
    const { fault, offset } = source;
    const hint =
      isYaml || /\.json$/i.test(file)
        ? ""
        : "; it was read as JSON, because its name does not end in .yaml or .yml";
    throw makeError({ fault: `${fault}${hint}`, offset });
  }
  const { value, tree } = source;
  if (exceedsBounds(value, callsBytesMax)) {
    const fault = "it is nested too deeply, or its aliases expand too far";
    throw makeError({ fault, offset: 0 });
  }
  const duplicate = findDuplicate(tree);
  if (duplicate) throw makeError(duplicate);
  return {
    value,
    findLine: (path) => locate(findOffset(tree, path, "name")).line,
    makeError: (fault, path, target) =>
      makeError({ fault, offset: findOffset(tree, path, target) }),
  };
}

function readText(file: string): string {
  const content = readWholeFile(file, callsBytesMax);
  if ("fault" in content) throw makeReadError(file, content.fault);
  const { bytes } = content;
  if (isWide(bytes)) throw makeReadError(file, describeEncoding("UTF-16"));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw makeReadError(file, describeEncoding("not valid UTF-8"));
  }
}

function makeReadError(file: string, fault: string): UserError {
  return new UserError(commonSentences.fileUnreadable(file, fault), undefined, { file, line: 1 });
}

function describeEncoding(found: string): string {
  return `it is ${found}; save it as UTF-8`;
}

// In UTF-16 and UTF-32, an ASCII character has a zero among its first two bytes.
function isWide([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || first === 0 || second === 0;
}

const headerBeginning = "# Calls recorded by mcp-meter";

const header = `${headerBeginning}, with the arguments that a client sent.\n# Replace secrets with \${NAME} before you commit this file.\n`;

type Append = (fd: number, bytes: Uint8Array) => Promise<{ readonly bytesWritten: number }>;

const writeAsync = promisify(write);
const appendBytes: Append = (fd, bytes) => writeAsync(fd, bytes);

export class RecordedCalls {
  readonly #file: string;
  readonly #fd: number;
  readonly #tell: Tell;
  readonly #appendBytes: Append;
  #bytes: number;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #written = 0;
  #leftOut = 0;

  private constructor(
    file: string,
    opened: { fd: number; bytes: number },
    tell: Tell,
    append: Append,
  ) {
    this.#file = file;
    this.#fd = opened.fd;
    this.#bytes = opened.bytes;
    this.#tell = tell;
    this.#appendBytes = append;
  }

  // Lets only this user read the file. Throws UserError if the file has content without mcp-meter's header, because
  // calls cannot be appended to another format.
  static open(file: string, tell: Tell, append: Append = appendBytes): RecordedCalls {
    const before = readWholeFile(file, callsBytesMax);
    const isMissing = "fault" in before && before.fault === "ENOENT";
    if ("fault" in before && !isMissing) throw makeWriteError(file, before.fault);
    const text = "bytes" in before ? new TextDecoder().decode(before.bytes) : "";
    if (text !== "" && !text.startsWith(headerBeginning))
      throw makeWriteError(file, "it holds something other than recorded calls");
    const opened = openToWrite(file, constants.O_APPEND);
    if ("fault" in opened) throw makeWriteError(file, opened.fault);
    if (restrictMode(file, opened.fd)) tell(storageSentences.recordingModeChanged(file));
    const calls = new RecordedCalls(
      file,
      { fd: opened.fd, bytes: Buffer.byteLength(text) },
      tell,
      append,
    );
    if (text === "") calls.#append(header, 0);
    else if (!text.endsWith("\n")) calls.#append("\n", 0);
    return calls;
  }

  get written(): number {
    return this.#written;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  add(call: RecordedCall): void {
    const text = writeYaml([call]);
    const size = Buffer.byteLength(text);
    if (this.#hasFailed || this.#bytes + size > callsBytesMax) {
      this.#leftOut += 1;
      return;
    }
    this.#append(text, 1);
  }

  async finish(): Promise<void> {
    await Promise.race([this.#writing, Bun.sleep(recordFlushMaxMs)]);
  }

  #append(text: string, calls: number): void {
    const bytes = Buffer.from(text);
    this.#bytes += bytes.length;
    this.#writing = this.#writing.then(() => this.#write(bytes, calls));
  }

  async #write(bytes: Uint8Array, calls: number): Promise<void> {
    if (this.#hasFailed) {
      this.#leftOut += calls;
      return;
    }
    try {
      const { bytesWritten } = await this.#appendBytes(this.#fd, bytes);
      if (bytesWritten < bytes.length) throw Object.assign(new Error(), { code: "ENOSPC" });
      this.#written += calls;
    } catch (error) {
      this.#hasFailed = true;
      this.#leftOut += calls;
      this.#tell(storageSentences.callsUnrecorded(this.#file, readErrorCode(error)));
    }
  }
}

// Returns true if it has changed the mode.
function restrictMode(file: string, fd: number): boolean {
  try {
    if (!isOpenToOthers(fd)) return false;
    fchmodSync(fd, 0o600);
    // On a file system without modes, the change has no effect.
    return !isOpenToOthers(fd);
  } catch (error) {
    closeSync(fd);
    throw makeWriteError(file, readErrorCode(error));
  }
}

function isOpenToOthers(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() && (stats.mode & 0o077) !== 0;
}

function makeWriteError(file: string, reason: string): UserError {
  return new UserError(storageSentences.callsUnwritable(file, reason));
}
