import { expect, test } from "bun:test";
import { runGit } from "#state/storage/base-lock.ts";
import { withGit } from "../../support/git.ts";
import { has } from "../../support/needs.ts";

test.skipIf(!has("git", "runGit"))(
  "runGit prints, finds nothing, fails with git's complaint, and is bounded",
  async () => {
    using repo = withGit();
    repo.write("f", "x".repeat(2_000));
    repo.commit();
    const options = { folder: repo.path, bytesMax: 1_000 };
    const head = await runGit(["rev-parse", "--verify", "--quiet", "HEAD"], options);
    expect("bytes" in head && new TextDecoder().decode(head.bytes)).toMatch(/^[0-9a-f]{40,64}\n$/);
    expect(await runGit(["rev-parse", "--verify", "--quiet", "none"], options)).toEqual({
      isAbsent: true,
    });
    expect(await runGit(["cat-file", "blob", "HEAD:none"], options)).toEqual({
      fault: "path 'none' does not exist in 'HEAD'",
    });
    expect(await runGit(["cat-file", "blob", "HEAD:f"], options)).toEqual({
      fault: "it has more than 1000 bytes",
    });
  },
);

test("runGit without the folder", async () => {
  expect(await runGit(["status"], { folder: "/no/such/folder", bytesMax: 9 })).toEqual({
    fault: "ENOENT",
  });
});
