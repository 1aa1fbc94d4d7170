import {
  type ClientFileFault,
  parseClientText,
  readClientBytes,
  type SettingsForm,
} from "./client-file.ts";

/** The settings of a client as they are in their file. */
export type ReadSettings = {
  readonly bytes: Uint8Array;
  /** A byte order mark, or nothing. */
  readonly mark: string;
  /** Everything behind the mark. */
  readonly text: string;
  readonly value: unknown;
};

/** Reads settings that are to be changed: every byte of them is known, or there is a fault. */
export function readSettings(file: string, form: SettingsForm): ReadSettings | ClientFileFault {
  const content = readClientBytes(file, form);
  if ("fault" in content) return content;
  const whole = decode(content.bytes);
  if (whole === undefined) return { fault: "it is not valid UTF-8" };
  const mark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const text = whole.slice(mark.length);
  const read = parseClientText(text, form);
  return "fault" in read ? read : { bytes: content.bytes, mark, text, value: read.value };
}

/** Undefined for bytes that a decoder would have to replace. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
