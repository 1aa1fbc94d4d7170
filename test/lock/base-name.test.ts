import { expect, test } from "bun:test";
import { parseBaseName } from "#lock/base-name.ts";

test.each(["./main", "../base", "/tmp/lock", "old.lock", "dir/old.lock"])(
  "parseBaseName: %s is a file",
  (name) => expect(parseBaseName(name)).toEqual({ name, isFile: true }),
);

test.each(["main", "origin/main", "HEAD~2", "v1.0", "@{u}", "deadbeef", "main:--output=x"])(
  "parseBaseName: %s is a revision",
  (name) => expect(parseBaseName(name)).toEqual({ name, isFile: false }),
);

test.each(["--output=x", "-x", "a\nb", "a\u0000", "\u001b[2J"])(
  "parseBaseName: %j is neither",
  (name) => expect(parseBaseName(name)).toBeUndefined(),
);
