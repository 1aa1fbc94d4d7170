import { inWords } from "#kit/errors.ts";
import { problemColumnsMax } from "#kit/limits.ts";
import { formatBytes, formatCount } from "#kit/text/numbers.ts";
import type { Document, Note, Row } from "../../document.ts";

export type SurveyReport = {
  readonly clients: readonly {
    readonly client: string;
    readonly folders: readonly Folder[];
    /** About the form of its logs; no log has confirmed it. */
    readonly unverified: readonly string[];
  }[];
};

type Folder = {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly unreadable: readonly { readonly path: string; readonly fault: string }[];
};

export function surveyDocument({ clients }: SurveyReport): Document {
  const folders = clients.flatMap((one) =>
    one.folders.map((folder) => ({ client: one.client, ...folder })),
  );
  return {
    title: clients.length === 0 ? "No logs" : "Would read these logs",
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "client" },
          { head: "files", isNumber: true },
          { head: "size", isNumber: true },
          { head: "oldest file" },
          { head: "newest file" },
          { head: "folder" },
        ],
        rows: folders.map(folderRow),
      },
      { kind: "notes", notes: folders.flatMap(({ unreadable }) => unreadable.map(faultNote)) },
      { kind: "notes", notes: clients.flatMap(unverifiedNotes) },
    ],
  };
}

function unverifiedNotes({ client, unverified }: SurveyReport["clients"][number]): readonly Note[] {
  return unverified.map((fact) => ({ label: "not verified", text: `${client}: ${fact}` }));
}

function folderRow({
  client,
  files,
  bytes,
  oldest,
  newest,
  folder,
}: Folder & { client: string }): Row {
  return [
    client,
    formatCount(files),
    formatBytes(bytes),
    dayOf(oldest),
    dayOf(newest),
    { name: folder, columnsMax: problemColumnsMax },
  ];
}

function dayOf(time: string | null): string {
  return time?.slice(0, 10) ?? "";
}

function faultNote({ path, fault }: Folder["unreadable"][number]): Note {
  const name = { name: path, columnsMax: problemColumnsMax };
  return { label: "unreadable", text: [name, `: ${inWords(fault)}`] };
}
