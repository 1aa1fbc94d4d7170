import { expect, test } from "bun:test";
import type { ConfiguredEntry } from "#clients/entries-in.ts";
import { servedNote } from "#commands/wrap/served-note.ts";
import type { RemoteNote } from "#storage/clients/remote-notes.ts";

const address = "http://127.0.0.1:28200/mcp";

const note: RemoteNote = {
  path: ["mcpServers", "a"],
  words: ["mcp-meter", "serve"],
  served: { address, key: "0" },
  texts: {
    renamed: [],
    inner: [],
    replaced: [],
    values: [{ of: "url", text: '"https://example.com/mcp"' }],
    removed: [],
    after: ["url"],
  },
};

const found = (entry: Partial<ConfiguredEntry>, notes: readonly RemoteNote[] = [note]) =>
  servedNote(
    { path: ["mcpServers", "a"], form: undefined, entry: { url: address }, ...entry },
    notes,
  );

test("an entry at its place with its address has a note", () => {
  expect(found({})).toEqual(note as never);
});

test("one that was edited, is a program, or stands elsewhere has none", () => {
  expect(found({ entry: { url: "http://127.0.0.1:28201/mcp" } })).toBeUndefined();
  expect(found({ entry: { httpUrl: address } })).toBeUndefined();
  expect(found({ form: "command" })).toBeUndefined();
  expect(found({ path: ["mcpServers", "b"] })).toBeUndefined();
  const { served: _, ...remote } = note;
  expect(found({}, [remote])).toBeUndefined();
});

test("an entry of a list is found where others have moved it", () => {
  const listed = { ...note, path: ["mcpServers", 2] };
  expect(found({ path: ["mcpServers", 0] }, [listed])).toEqual(listed as never);
});
