import { inWords } from "#error-words.ts";
import { noteDetailColumnsMax, problemColumnsMax } from "#limits/files.ts";
import type { Document, Name, Note, Row } from "../document.ts";
import { separated } from "./parts.ts";

/** One option of `run`, its value, and where that comes from. Secrets in values are masked. */
export type ShownOption = {
  /** Its long name. */
  readonly option: string;
  /** A list for budgets; null without a value. The default is in words, as in help. */
  readonly value: string | boolean | readonly string[] | null;
  readonly source: "default" | "file" | "variable";
  /** Null unless the source is a file. */
  readonly file: string | null;
  /** The server whose section of the file has the value; null for the part for every server. */
  readonly section: string | null;
  /** Null unless the source is a variable. */
  readonly variable: string | null;
  /** True when the system config locks it: a user can only tighten it, if at all. */
  readonly is_locked: boolean;
};

/** A place of a config file. */
export type ShownConfigFile = {
  readonly file: string;
  readonly kind: "system" | "user" | "named";
  readonly is_present: boolean;
};

/** The merged options of `run`, by config-report.schema.json. */
export type ConfigReport = {
  readonly schema_version: "1.0";
  /** The server that they are for; null for one without a section. */
  readonly server: string | null;
  /** The file that overrides the others last. */
  readonly files: readonly ShownConfigFile[];
  /** Servers with a section. */
  readonly servers: readonly string[];
  readonly options: readonly ShownOption[];
  /** `file` is the variable where that names a file which cannot be used. */
  readonly mistakes: readonly { readonly file: string; readonly fault: string }[];
  /** True when `MCP_METER_DISABLE` makes `run` a pass-through. */
  readonly is_disabled: boolean;
};

/** A row for each option, and notes on the files. */
export function configDocument(report: ConfigReport): Document {
  const { server, options } = report;
  return {
    title: server === null ? "Options of run" : ["Options of run for ", { name: server }],
    sections: [
      {
        kind: "grid",
        columns: [{ head: "option" }, { head: "value", isWhole: true }, { head: "from" }],
        rows: options.map(optionRow),
      },
      { kind: "notes", notes: notesOf(report) },
    ],
  };
}

function optionRow(row: ShownOption): Row {
  const { option, value, source, file, section, variable, is_locked: isLocked } = row;
  const origin = source === "file" ? (file ?? "") : (variable ?? source);
  const place = section === null ? origin : `${origin}, servers.${section}`;
  const from = isLocked ? `${place}, locked` : place;
  const shown = Array.isArray(value) ? value.join(" ") : String(value ?? "");
  return [option, wide(shown), wide(from)];
}

function wide(name: string): Name | string {
  return name === "" ? "" : { name, columnsMax: noteDetailColumnsMax };
}

function notesOf({
  files,
  servers,
  mistakes,
  is_disabled: isDisabled,
}: ConfigReport): readonly Note[] {
  const read = files.map(({ file, is_present: isPresent }): Note => ({
    label: isPresent ? "read" : "not there",
    text: [wide(file)],
  }));
  const named = separated(servers.map((name) => [{ name }]));
  return [
    ...read.toReversed(),
    ...(servers.length === 0 ? [] : [{ label: "servers", text: named }]),
    ...mistakes.map(({ file, fault }): Note => ({
      label: "mistake",
      text: [wide(file), ": ", { name: inWords(fault), columnsMax: problemColumnsMax }],
    })),
    ...(isDisabled
      ? [{ label: "disabled", text: "MCP_METER_DISABLE is set: run passes everything through" }]
      : []),
  ];
}
