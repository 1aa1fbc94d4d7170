import {
  type ClientFileFault,
  parseClientText,
  readClientBytes,
  type SettingsForm,
} from "./client-file.ts";

export type ReadSettings = {
  readonly bytes: Uint8Array;
  readonly mark: string;
  readonly text: string;
  readonly value: unknown;
};

/** A fault if a byte of them is lost in decoding. */
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

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
