import { clientSettingsBytesMax, clientYamlBytesMax } from "#limits/import.ts";
import { readWholeFile } from "#os/named-file.ts";
import { placesIn } from "#text/source-tree.ts";
import { parseJsonc } from "#syntax/jsonc.ts";
import { parseYaml } from "#syntax/yaml.ts";

/** The language of a client's settings. JSON may have comments. */
type Form = "json" | "toml" | "yaml";

/** Why the settings of a client cannot be read. */
export type ClientFileFault = {
  /** A system error code or a clause, never a part of the file. */
  readonly fault: string;
  /** The line of a mistake, from 1, where it is known. */
  readonly line?: number;
};

/** The settings of a client as a value, or why there is none; undefined when there is no such file. An empty file is undefined as a value. */
export function readClientFile(
  file: string,
  form: Form,
): { readonly value: unknown } | ClientFileFault | undefined {
  const bytesMax = form === "yaml" ? clientYamlBytesMax : clientSettingsBytesMax;
  const content = readWholeFile(file, bytesMax);
  if ("fault" in content) {
    return content.fault === "ENOENT" || content.fault === "ENOTDIR" ? undefined : content;
  }
  const text = new TextDecoder().decode(content.bytes);
  return text.trim() === "" ? { value: undefined } : readers[form](text);
}

type Reader = (text: string) => { readonly value: unknown } | ClientFileFault;

const readers: { readonly [form in Form]: Reader } = {
  json: (text) => {
    const read = parseJsonc(text);
    return "fault" in read ? { fault: read.fault, line: lineAt(text, read.offset) } : read;
  },
  yaml: (text) => {
    const read = parseYaml(text);
    // Its message may quote the file, which has secrets.
    return "fault" in read
      ? { fault: "it cannot be read as YAML", line: lineAt(text, read.offset) }
      : { value: read.value };
  },
  toml: (text) => {
    try {
      return { value: Bun.TOML.parse(text) };
    } catch {
      // Its message may quote the file, and has no line.
      return { fault: "it cannot be read as TOML" };
    }
  },
};

function lineAt(text: string, offset: number): number {
  return placesIn(text)(offset).line;
}
