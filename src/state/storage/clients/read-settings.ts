import { attempt } from "#kit/errors.ts";
import { type FileContent, readWholeFile } from "#kit/os/open-file.ts";
import { makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { parseJsonc } from "#kit/syntax/jsonc.ts";
import { parseTomlTree } from "#kit/syntax/toml.ts";
import { parseYaml } from "#kit/syntax/yaml.ts";
import type { SettingsLanguage } from "#clients/configured-entries.ts";

export const clientSettingsBytesMax = 16 * 1024 * 1024;

// The YAML parser takes seconds for a megabyte.
export const clientYamlBytesMax = 256 * 1024;

export type ClientFileFault = {
  // A system error code or a short reason, never content of the file.
  readonly fault: string;
  readonly line?: number;
  readonly column?: number;
};

export function locateFault(file: string, { line, column }: ClientFileFault): string {
  return line === undefined ? file : `${file}, line ${line}, column ${column ?? 1}`;
}

// Returns undefined if the file does not exist, and `{ value: undefined }` if it is empty.
export function readClientFile(
  file: string,
  language: SettingsLanguage,
): { readonly value: unknown } | ClientFileFault | undefined {
  const content = readClientBytes(file, language);
  if ("fault" in content) {
    return content.fault === "ENOENT" || content.fault === "ENOTDIR" ? undefined : content;
  }
  return parseClientText(new TextDecoder().decode(content.bytes), language);
}

function readClientBytes(file: string, language: SettingsLanguage): FileContent {
  return readWholeFile(file, language === "yaml" ? clientYamlBytesMax : clientSettingsBytesMax);
}

export function parseClientText(
  text: string,
  language: SettingsLanguage,
): { readonly value: unknown } | ClientFileFault {
  return text.trim() === "" ? { value: undefined } : readers[language](text);
}

type Reader = (text: string) => { readonly value: unknown } | ClientFileFault;

const readers: { readonly [language in SettingsLanguage]: Reader } = {
  json: (text) => {
    const read = parseJsonc(text);
    return "fault" in read ? { fault: read.fault, ...makePositionFinder(text)(read.offset) } : read;
  },
  yaml: (text) => {
    const read = parseYaml(text);
    // The parser's message may quote the file, which may hold secrets.
    return "fault" in read
      ? { fault: "it cannot be read as YAML", ...makePositionFinder(text)(read.offset) }
      : { value: read.value };
  },
  toml: (text) => {
    try {
      return { value: Bun.TOML.parse(text) };
    } catch {
      const fault = "it cannot be read as TOML";
      // The message of Bun's parser may quote the file, and does not give a position.
      const read = parseTomlTree(text);
      return "fault" in read ? { fault, ...makePositionFinder(text)(read.offset) } : { fault };
    }
  },
};

type ParsedSettings = {
  readonly bytes: Uint8Array;
  readonly byteOrderMark: string;
  readonly text: string;
  readonly value: unknown;
};

export function readSettings(
  file: string,
  language: SettingsLanguage,
): ParsedSettings | ClientFileFault {
  const content = readClientBytes(file, language);
  if ("fault" in content) return content;
  const decoded = decode(content.bytes);
  if (decoded === undefined) return { fault: "it is not valid UTF-8" };
  const byteOrderMark = decoded.startsWith("\ufeff") ? "\ufeff" : "";
  const text = decoded.slice(byteOrderMark.length);
  const read = parseClientText(text, language);
  return "fault" in read ? read : { bytes: content.bytes, byteOrderMark, text, value: read.value };
}

function decode(bytes: Uint8Array): string | undefined {
  return attempt(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
}
