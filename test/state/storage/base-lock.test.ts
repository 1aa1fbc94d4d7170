import { expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseBaseName } from "#commands/lock/options.ts";
import { formatLock, type Lock } from "#lock/lock.ts";
import { readBaseLock } from "#state/storage/base-lock.ts";
import { withGit } from "../../support/git.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";
import { has } from "../../support/needs.ts";

const hasGit = has("git", "locks at a revision");

const old = lockWith([lockedDefinition({ name: "t", description: "Old" })]);
const text = formatLock(old);

const read = (base: string, file: string): Promise<Lock | undefined> => {
  const named = parseBaseName(base);
  if (!named) throw new Error(`${base} is no base`);
  return readBaseLock(named, file);
};

test.skipIf(!hasGit)(
  "readBaseLock reads a file, and the lock's own file at a revision",
  async () => {
    using repo = withGit();
    const file = repo.write("sub/mcp-meter.lock", text);
    repo.commit();
    repo.write("sub/mcp-meter.lock", "changed since");
    expect(await read("main", file)).toEqual(old);
    expect(await read("HEAD", file)).toEqual(old);
    rmSync(dirname(file), { recursive: true });
    expect(await read("main", file)).toEqual(old);
    expect(await read(repo.write("base.lock", text), file)).toEqual(old);
  },
);

test.skipIf(!hasGit)(
  "readBaseLock finds a lock in a subfolder despite a hook's variables",
  async () => {
    using repo = withGit();
    const file = repo.write("sub/mcp-meter.lock", text);
    repo.commit();
    try {
      process.env["GIT_DIR"] = join(repo.path, ".git");
      expect(await read("HEAD", file)).toEqual(old);
      process.env["GIT_WORK_TREE"] = dirname(repo.path);
      expect(await read("HEAD", file)).toEqual(old);
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_WORK_TREE"];
    }
  },
);

test.skipIf(!hasGit)("readBaseLock reads the file behind a symbolic link", async () => {
  using repo = withGit();
  repo.write("real/a.lock", text);
  const link = join(repo.path, "mcp-meter.lock");
  symlinkSync("real/a.lock", link);
  repo.commit();
  expect(await read("main", link)).toEqual(old);
});

test.skipIf(!hasGit)(
  "readBaseLock: a revision without the lock has none; no file of the tree stands in for it",
  async () => {
    using repo = withGit();
    repo.commit();
    const file = repo.write("mcp-meter.lock", text);
    repo.write("origin/main", text);
    expect(await read("main", file)).toBeUndefined();
    await expect(read("origin/main", file)).rejects.toThrow(
      'Cannot find the git revision "origin/main"; fetch it first',
    );
  },
);

test.skipIf(!hasGit).each([
  ["main:--output=x", "Cannot find the git revision"],
  ["main..main", "Cannot find the git revision"],
  ["no such", "Cannot find the git revision"],
  ["./none.lock", 'Cannot find the base "./none.lock"'],
])("readBaseLock refuses %j in one sentence", async (base, sentence) => {
  using repo = withGit();
  const file = repo.write("mcp-meter.lock", text);
  repo.commit();
  await expect(read(base, file)).rejects.toThrow(sentence);
});

test.skipIf(!hasGit)(
  "readBaseLock refuses a revision whose lock is torn, and a folder that is in no repository",
  async () => {
    using repo = withGit();
    const file = repo.write("mcp-meter.lock", "{");
    repo.commit();
    await expect(read("main", file)).rejects.toThrow(
      'Cannot read the lock of the base "main": it is not valid JSON; pass a base with a readable lock',
    );
    await expect(read(file, file)).rejects.toThrow(
      `Cannot read the lock of the base "${file}": it is not valid JSON; pass a base with a readable lock`,
    );
    rmSync(join(repo.path, ".git"), { recursive: true });
    await expect(read("main", file)).rejects.toThrow(
      'Cannot read the lock of "main": the lock\'s folder is not in a git repository; run mcp-meter in a checkout, or pass a file as ./FILE',
    );
  },
);

test.skipIf(!hasGit)(
  "readBaseLock: a revision that a shallow clone lacks is to be fetched",
  async () => {
    using repo = withGit();
    repo.commit();
    repo.write("mcp-meter.lock", text);
    repo.commit();
    using clone = withGit();
    clone.git("fetch", "--quiet", "--depth=1", `file://${repo.path}`, "main");
    clone.git("checkout", "--quiet", "--detach", "FETCH_HEAD");
    await expect(read("HEAD~1", join(clone.path, "mcp-meter.lock"))).rejects.toThrow(
      'Cannot find the git revision "HEAD~1" in this shallow clone; fetch it first, as in "git fetch --depth=1 origin main", or check out with fetch-depth: 0',
    );
    expect(await read("HEAD", join(clone.path, "mcp-meter.lock"))).toEqual(old);
  },
);

test.skipIf(!hasGit)("readBaseLock: a repository of another user is named as such", async () => {
  using repo = withGit();
  const file = repo.write("mcp-meter.lock", text);
  repo.commit();
  const before = process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"];
  process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1";
  try {
    await expect(read("main", file)).rejects.toThrow("git does not trust the repository");
  } finally {
    if (before === undefined) delete process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"];
    else process.env["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = before;
  }
});
