import { expect, test } from "bun:test";
import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import {
  remoteNotesBytesMax,
  writeRemoteNotes,
  readRemoteNotes,
  locateRemoteNotes,
  type RemoteNote,
} from "#state/storage/clients/remote-notes.ts";
import { Folder } from "../../../support/folder.ts";

const note: RemoteNote = {
  path: ["mcpServers", "a", 0],
  words: ["npx", "-y", "mcp-remote", "https://x.org"],
  texts: {
    renamed: [{ from: "env", keys: ['"headers"'] }],
    inner: [{ of: "env", from: "MCP_HEADER_1", keys: ['"A"'] }],
    replaced: [{ from: ["command", "args"], text: '"url": "https://x.org"' }],
    values: [{ of: "type", text: '"http"' }],
    removed: [],
    after: ["headers", "url", "type"],
  },
};

test("notes are kept with mode 0600, found by any path to the file, and removed when none is left", () => {
  using folder = new Folder();
  const file = folder.file("a.json", "1");
  symlinkSync(file, folder.at("link"));
  expect(writeRemoteNotes(folder.path, file, [note])).toBeUndefined();
  expect(readRemoteNotes(folder.path, folder.at("link"))).toEqual([note]);
  const path = locateRemoteNotes(folder.path, file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(writeRemoteNotes(folder.path, folder.at("link"), [])).toBeUndefined();
  expect([existsSync(path), readRemoteNotes(folder.path, file)]).toEqual([false, []]);
});

test("notes that cannot be read are left out", () => {
  using folder = new Folder();
  const file = folder.file("a.json", "1");
  writeRemoteNotes(folder.path, file, [note]);
  const path = locateRemoteNotes(folder.path, file);
  for (const text of ["{", "null", '{"entries":[1,{},{"path":["a"],"words":["x"]}]}']) {
    writeFileSync(path, text);
    expect(readRemoteNotes(folder.path, file)).toEqual([]);
  }
  const odd = { path: ["a"], words: ["x", 1], texts: { renamed: [1], values: 2 } };
  writeFileSync(path, JSON.stringify({ entries: [odd] }));
  expect(readRemoteNotes(folder.path, file)).toMatchObject([
    { words: ["x"], texts: { renamed: [{ from: "", keys: [] }], values: [] } },
  ]);
});

test("too many notes, and a folder that cannot be made, are faults", () => {
  using folder = new Folder();
  const file = folder.file("a.json", "1");
  const long = { ...note, words: ["x".repeat(remoteNotesBytesMax)] };
  expect(writeRemoteNotes(folder.path, file, [long])).toBe(
    "the settings have too many remote servers",
  );
  const state = folder.file("state", "");
  expect(writeRemoteNotes(state, file, [note])).toBe("ENOTDIR");
});
