import { expect, test } from "bun:test";
import { rememberedServers } from "#commands/import/known-servers.ts";
import { Folder } from "../../support/folder.ts";

test("names are kept with the records of imports; without a state folder there are none", () => {
  using folder = new Folder();
  const env = { XDG_STATE_HOME: folder.path };
  rememberedServers(env)?.add([["opencode", ["docs"]]]);
  expect(rememberedServers(env)?.of("opencode")).toEqual(["docs"]);
  expect(rememberedServers({})).toBeUndefined();
});
