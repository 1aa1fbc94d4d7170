import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { newOverflowPath } from "#storage/overflow-path.ts";
import { Folder } from "../support/folder.ts";

test("newOverflowPath is in the state folder, made when it is missing, or in the temporary folder", () => {
  using folder = new Folder();
  const path = newOverflowPath({ XDG_STATE_HOME: folder.path });
  expect(dirname(path)).toBe(folder.at("mcp-meter"));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(newOverflowPath({ XDG_STATE_HOME: folder.path })).not.toBe(path);
  const below = folder.file("file", "");
  expect(dirname(newOverflowPath({ XDG_STATE_HOME: below }))).toBe(tmpdir());
  expect(dirname(newOverflowPath({}))).toBe(tmpdir());
});
