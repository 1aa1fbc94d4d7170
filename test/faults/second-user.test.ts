// Another user of the same machine: folders that they prepare, and files that they may read. With two real users, so as root only.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { call, initialize } from "../support/rpc.ts";
import { executable, metered, type Session, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const [user, other] = [65_534, 65_533];

const as = (uid: number) => [
  "setpriv",
  "--reuid",
  `${uid}`,
  "--regid",
  `${user}`,
  "--clear-groups",
];

const hasUsers =
  process.getuid?.() === 0 &&
  Bun.which("setpriv") !== null &&
  Bun.spawnSync([...as(user), "test", "-x", executable]).exitCode === 0;

const server = [
  "sh",
  "-c",
  `while read -r line; do id=\${line#*\\"id\\":}
  printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\\n' "\${id%%[,\\}]*}" "$(seq -s ' ' 900)"
done`,
];

function session(
  flags: readonly string[],
  prepare: (dir: string) => void = () => undefined,
): Session {
  return metered(server, {
    flags,
    env: { TMPDIR: "{dir}" },
    under: ["sh", "-c", 'umask 0; exec "$@"', "sh", ...as(user)],
    prepare: (dir) => {
      for (const name of ["", "home", "state"]) chownSync(join(dir, name), user, user);
      chmodSync(dir, 0o755);
      prepare(dir);
    },
  });
}

function plant(folder: string, mode: number): void {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, other, user);
  chmodSync(folder, mode);
}

const spilling = ["--budget", "*=300:spill"];

describe.if(hasUsers)("row 175: a folder for answers in which others can replace them", () => {
  const named = [...spilling, "--spill-dir", "{dir}/answers"];

  test.each([
    ["of another user", other, 0o777],
    ["in which every user may write", user, 0o777],
  ])("row 175: %s → run ends before the server starts", async (_, owner, mode) => {
    await using refused = session(named, (dir) => {
      plant(join(dir, "answers"), mode);
      chownSync(join(dir, "answers"), owner, user);
    });
    expect(await refused.ended()).toEqual({ code: 125, signal: null });
    expect(refused.stderr.text).toContain("Cannot save answers");
  });

  test("row 175: a folder like that for temporary files keeps the file of its user", async () => {
    await using saving = session(named, (dir) => {
      mkdirSync(join(dir, "answers"));
      chmodSync(join(dir, "answers"), 0o1777);
    });
    expect(JSON.stringify(await saving.ask(call(1, "a", {})))).toContain("the whole answer is in");
    await saving.finish();
  });

  test("row 175: made by another user in a workspace → the answer is withheld, one line", async () => {
    await using withheld = session([...spilling, "--as-client", "gemini-cli-mcp-client"], (dir) => {
      plant(join(dir, ".mcp-meter"), 0o777);
    });
    const answer = JSON.stringify(await withheld.ask(call(1, "a", {})));
    expect(answer).toContain("withheld");
    await withheld.finish();
    expect(withheld.stderr.text).toContain("another user");
    const left = readdirSync(join(withheld.dir, ".mcp-meter"), { recursive: true }).map(String);
    expect(left.filter((path) => path.endsWith(".txt"))).toEqual([]);
  });
});

describe.if(hasUsers)("row 176: counters in a folder of another user", () => {
  test.each([
    ["local", "PPR"],
    ["closed", "RRR"],
  ])("row 176: %s → not used, one line, the policy", async (policy, fates) => {
    const flags = ["--budget", "2calls/day", "--on-counter-failure", policy];
    await using limited = session(flags, (dir) => plant(join(dir, "state", "mcp-meter"), 0o770));
    let all = "";
    for (let id = 1; id <= fates.length; id += 1) {
      const answer = JSON.stringify(await limited.ask(call(id, "a", {})));
      all += answer.includes('"isError":true') ? "R" : "P";
    }
    expect(all).toBe(fates);
    await limited.finish();
    expect(limited.stderr.text).toContain("belongs to another user");
    expect(readdirSync(join(limited.stateDir, "mcp-meter"))).not.toContain(
      "budget-counters.sqlite",
    );
  });
});

describe.if(hasUsers)("row 177: files and folders that a session makes", () => {
  test("row 177: under umask 0 nobody else can read or write one", async () => {
    const places = ["--summary-file", "{dir}/summary", "--spill-dir", "{dir}/answers"];
    const flags = [...spilling, "--budget", "100k/day", ...places];
    await using made = session(flags);
    await made.ask(initialize());
    expect(JSON.stringify(await made.ask(call(2, "a", {})))).toContain("the whole answer is in");
    await made.finish();
    const before = new Set(["home", "state"]);
    const all = readdirSync(made.dir, { recursive: true }).map(String);
    const named = all.filter((path) => !before.has(path) && !/^(?:home|std)/.test(path));
    expect(named.map(kindOf)).toEqual(
      expect.arrayContaining(["answers", "summary", "budget-counters.sqlite", "sessions"]),
    );
    for (const path of named) {
      const stats = lstatSync(join(made.dir, path));
      const mode = stats.isDirectory() ? 0o700 : 0o600;
      expect([path, stats.uid, stats.mode & 0o7777]).toEqual([path, user, mode]);
    }
  });
});

const kindOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

describe.if(hasUsers)(
  "row 180: a file that another user has put into a folder for temporary files",
  () => {
    test("row 180: as the file of the summary → nothing is written into it, one line", async () => {
      await using told = session(["--summary-file", "{dir}/tmp/summary"], (dir) => {
        mkdirSync(join(dir, "tmp"));
        chmodSync(join(dir, "tmp"), 0o1777);
        const planted = join(dir, "tmp", "summary");
        writeFileSync(planted, "");
        chownSync(planted, other, user);
        chmodSync(planted, 0o666);
      });
      await told.ask(call(1, "a", {}));
      await told.finish();
      expect(told.stderr.text).toContain("Cannot write the summary");
      expect(readFileSync(join(told.dir, "tmp", "summary"), "utf8")).toBe("");
    });
  },
);
