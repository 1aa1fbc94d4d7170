import type { Document, Name, Note, Row } from "../document.ts";
import { joinWithCommas, noteIf, noteDetailColumnsMax } from "./shared-texts.ts";
import { problemColumnsMax } from "#kit/text/columns.ts";
import { describeReason } from "#kit/sentences.ts";

export type ShownOption = {
  readonly option: string;
  readonly value: string | boolean | readonly string[] | null;
  readonly source: "default" | "file" | "variable" | "settings";
  readonly file: string | null;
  readonly section: string | null;
  readonly variable: string | null;
  readonly client: string | null;
  readonly is_locked: boolean;
};

export type ShownConfigFile = {
  readonly file: string;
  readonly kind: "system" | "user" | "named";
  readonly is_present: boolean;
};

export type ConfigReport = {
  readonly schema_version: "1.0";
  readonly server: string | null;
  readonly files: readonly ShownConfigFile[];
  readonly servers: readonly string[];
  readonly clients: readonly { readonly client: string; readonly file: string }[];
  readonly options: readonly ShownOption[];
  readonly mistakes: readonly { readonly file: string; readonly fault: string }[];
  readonly is_disabled: boolean;
};

export function buildConfigDocument(report: ConfigReport): Document {
  const { server, options } = report;
  return {
    title:
      server === null
        ? "Options of mcp-meter run"
        : ["Options of mcp-meter run for ", { name: server }],
    sections: [
      {
        kind: "grid",
        columns: [{ head: "option" }, { head: "value", isWrapped: true }, { head: "from" }],
        rows: options.map(formatOptionRow),
      },
      { kind: "notes", notes: listNotes(report) },
    ],
  };
}

function formatOptionRow(row: ShownOption): Row {
  const { option, value } = row;
  const valueText = Array.isArray(value) ? value.join(" ") : String(value ?? "");
  return [option, makeValue(valueText), makeValue(describeOrigin(row))];
}

function describeOrigin(row: ShownOption): string {
  const { source, file, section, variable, client, is_locked: isLocked } = row;
  const settings = `settings of ${client ?? ""}`;
  if (source === "settings") return settings;
  if (variable !== null && file !== null) return `${variable} in ${settings}`;
  return [
    variable ?? file ?? source,
    ...(section === null ? [] : [`servers.${section}`]),
    ...(isLocked ? ["locked"] : []),
    ...(client === null ? [] : [`in ${client}`]),
  ].join(", ");
}

function makeValue(name: string): Name | string {
  return name === "" ? "" : { name, columnsMax: noteDetailColumnsMax };
}

function listNotes({
  files,
  servers,
  clients,
  mistakes,
  is_disabled: isDisabled,
}: ConfigReport): readonly Note[] {
  const fileNotes = files.map(({ file, is_present: isPresent }): Note => ({
    label: isPresent ? "read" : "missing",
    text: makeValue(file),
  }));
  const serverNames = joinWithCommas(servers.map((name) => [{ name }]));
  return [
    ...clients.map(({ client, file }): Note => ({
      label: "read",
      text: [`${client}: `, makeValue(file)],
    })),
    // The file that overrides the others comes first.
    ...fileNotes.toReversed(),
    ...noteIf(servers.length > 0, "servers", serverNames),
    ...mistakes.map(({ file, fault }): Note => ({
      label: "mistake",
      text: [makeValue(file), ": ", { name: describeReason(fault), columnsMax: problemColumnsMax }],
    })),
    ...noteIf(isDisabled, "disabled", "MCP_METER_DISABLE is set: sessions are not metered"),
  ];
}
