import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { crush, listedProjectsMax } from "#history/importers/crush.ts";
import { importers } from "#history/importers/index.ts";
import { findLogs, listLogFolders } from "#state/storage/logs/find-logs.ts";
import { Folder } from "../../support/folder.ts";
import { eventsOf } from "../../support/logs.ts";

const linux = (folder: string) => ({ folder, env: {}, platform: "linux" });

const listFolders = (list: unknown) =>
  (crush.findFolderLists?.(linux("/h")) ?? []).flatMap(({ parse }) =>
    parse(list).map(({ folder }) => folder),
  );

const project = (folder: unknown) => ({ path: "/p", data_dir: folder });

const locate = (env: Readonly<Record<string, string>>) =>
  crush.findFolderLists?.({ folder: "/h", env, platform: "linux" }).map(({ file }) => file);

test("projects are listed where the variables say, each folder once, and only absolute ones", () => {
  expect(locate({})).toEqual(["/h/.local/share/crush/projects.json"]);
  expect(locate({ XDG_DATA_HOME: "/x" })).toEqual(["/x/crush/projects.json"]);
  expect(locate({ CRUSH_GLOBAL_DATA: "/c/", XDG_DATA_HOME: "/x" })).toEqual(["/c/projects.json"]);
  const projects = ["/a/.crush", "/a/.crush", "C:\\b\\.crush", ".crush", "../x", 7, null];
  expect(listFolders({ projects: projects.map(project) })).toEqual(["/a/.crush", "C:\\b\\.crush"]);
  for (const list of [null, [], { projects: {} }, "x"]) expect(listFolders(list)).toEqual([]);
});

test("the number of projects that are searched is limited", () => {
  const projects = Array.from({ length: listedProjectsMax + 1 }, (_, at) => project(`/${at}`));
  expect(listFolders({ projects })).toHaveLength(listedProjectsMax);
  expect(listFolders({ projects: projects.slice(1) }).at(-1)).toBe(`/${listedProjectsMax}`);
});

test("only the database in a listed folder is a log, and a damaged list names no folders", () => {
  using folder = new Folder();
  const data = ".local/share/crush";
  for (const path of ["project/deep", data]) mkdirSync(folder.at(path), { recursive: true });
  for (const name of ["crush.db", "crush.db-wal", "auth.json", "deep/crush.db"]) {
    folder.file(`project/${name}`, "");
  }
  const find = () => findLogs(listLogFolders(importers.crush, linux(folder.path))).files;
  expect(find()).toEqual([]);
  folder.file(`${data}/projects.json`, '{"projects":[');
  expect(find()).toEqual([]);
  const list = { projects: [project(folder.at("project"))] };
  folder.file(`${data}/projects.json`, JSON.stringify(list));
  expect(find().map((log) => log.file)).toEqual([folder.at("project/crush.db")]);
});

const part = (type: string, data: object) => ({ type, data });
const row = (id: string, role: string, parts: readonly object[]) => ({
  table: "messages",
  row: { id, session_id: "s", role, created_at: 1, parts: JSON.stringify(parts) },
});

test("a call that the user denied is not an error of its server", () => {
  const { events } = eventsOf(
    (tools) => crush.open("crush.db", tools),
    [
      row("m1", "assistant", [part("tool_call", { id: "c", name: "mcp_docs_x", input: "{}" })]),
      row("m2", "tool", [
        part("tool_result", {
          tool_call_id: "c",
          content: "User denied permission",
          is_error: true,
        }),
      ]),
    ],
  );
  expect(events).toMatchObject([{ kind: "tool_use" }, { outcome: "denied" }]);
});
