import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { clients } from "../support/clients.ts";
import { Folder } from "../support/folder.ts";
import { readLog } from "../support/records.ts";
import { call, initialize } from "../support/rpc.ts";
import { executable, fixture, metered, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

function behind(folder: Folder, server: readonly string[], ...flags: readonly string[]) {
  const log = folder.at("records.ndjson");
  const meter = [executable, "--log", log, "--summary", "off", ...flags, "--", ...server];
  const [program = "", ...args] = meter;
  const argv: readonly [string, ...string[]] = [program, ...args];
  return { name: "fixture", argv, env: { XDG_STATE_HOME: folder.path } };
}

describe("row 54: answers whose id is a text belong to the request with that number", () => {
  for (const client of clients.filter(({ speaks }) => speaks === "legacy")) {
    test(`row 54: ${client.name} receives nothing above the budget, and one record is written`, async () => {
      using folder = new Folder();
      const server = behind(folder, fixture("writes-ids-as-text"), "--budget", "long=50");
      const connection = await client.connect(server);
      const outcome = await connection.callTool("long", {});
      await connection.close();
      expect(JSON.stringify(outcome)).toContain("long ran, but its answer was withheld");
      const calls = readLog(folder.at("records.ndjson")).records.filter(
        ({ type }) => type === "call",
      );
      expect(calls).toMatchObject([{ tool: "long", outcome: "refused" }]);
    });

    test(`row 54: ${client.name} is metered without a budget`, async () => {
      using folder = new Folder();
      const connection = await client.connect(behind(folder, fixture("writes-ids-as-text")));
      await connection.callTool("long", {});
      await connection.close();
      const calls = readLog(folder.at("records.ndjson")).records.filter(
        ({ type }) => type === "call",
      );
      expect(calls).toMatchObject([{ tool: "long", outcome: "ok" }]);
    });
  }
});

const formIn = (title: string): string => title.split(": ")[1] ?? "";

const forms: readonly (readonly [title: string, limit: number])[] = [
  ["row 55: id-behind-blanks", 1_000],
  ["row 55: jsonrpc-behind-blanks", 1_000],
  ["row 55: jsonrpc-33-times", 1_000],
  ["row 55: long-line", 1_000],
  ["row 55: torn-before", 1_000],
  ["row 56: nan", 1_000],
  ["row 57: error-and-result", 1_000],
  ["row 57: rejected-before", 1_000],
  // 400 numbers of four bytes each, which cost eight tokens each.
  ["row 59: numbers-that-grow", 2_600],
];

describe("rows 55 to 59: a form that an SDK client accepts exceeds no budget", () => {
  for (const client of clients.filter(({ speaks }) => speaks === "legacy")) {
    for (const [title, limit] of forms) {
      const part = slowIf(client.name !== "sdk-v1");
      test(`${title} does not exceed a budget with ${client.name} in front${part}`, async () => {
        using folder = new Folder();
        const budget = `long=${limit}/session`;
        const server = behind(
          folder,
          fixture("answers-in-forms", formIn(title)),
          "--budget",
          budget,
        );
        const connection = await client.connect(server);
        const outcome = await connection.callTool("long", {});
        await connection.close();
        expect(JSON.stringify(outcome)).not.toContain("word word");
        expect(JSON.stringify(outcome)).toContain("was withheld");
      });
    }
  }
});

describe("rows 56 and 57: a client that is not strict receives nothing above a budget either", () => {
  for (const title of ["row 56: nan", "row 57: error-and-result"]) {
    test(title, async () => {
      await using session = metered(fixture("answers-in-forms", formIn(title)), {
        flags: ["--budget", "long=1000"],
      });
      await session.ask(initialize(1));
      await session.send(call(2, "long"));
      expect(await session.line('"id":2')).toContain("was withheld");
      await session.finish();
    });
  }
});

describe("row 60: a request that cannot be read is charged to its tool's counter", () => {
  const huge = "x".repeat(9_000_000);
  const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
  for (const [name, request] of [
    [
      "over 8 MiB",
      `{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"x":"${huge}"},"name":"echo"},"id":2}`,
    ],
    [
      "with a padded id",
      `{"jsonrpc":"2.0","id":${" ".repeat(600)}2,"method":"tools/call","params":{"name":"echo","arguments":{"x":${deep}}}}`,
    ],
  ] as const) {
    test(`row 60: ${name}, it uses up one of two calls${slowIf(name === "over 8 MiB")}`, async () => {
      await using session = metered(fixture("honest"), {
        flags: ["--budget", "echo=2calls/session"],
      });
      await session.ask(initialize(1));
      await session.input.write(`${request}\n`);
      await session.ask(call(3, "echo"));
      await session.send(call(4, "echo"));
      expect(await session.line("was not run")).toContain('"id":4');
      await session.finish();
    });
  }
});

describe("row 61: a refusal has the id of its request", () => {
  for (const [name, id, mark] of [
    ["600 characters long", JSON.stringify("i".repeat(600)), ""],
    ["behind a byte order mark", "2", "\ufeff"],
  ] as const) {
    test(`row 61: ${name}`, async () => {
      await using session = metered(fixture("honest"), { flags: ["--budget", "echo=1"] });
      await session.ask(initialize(1));
      await session.input.write(
        `${mark}{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"x":"${"word ".repeat(9)}"}}}\n`,
      );
      expect(await session.line("was not run")).toContain(`"id":${id},`);
      await session.finish();
    });
  }
});

describe("row 62: the same arguments in another order are the same call", () => {
  test("row 62: --max-repeats 1 refuses the second", async () => {
    await using session = metered(fixture("honest"), { flags: ["--max-repeats", "1"] });
    await session.ask(initialize(1));
    await session.ask(call(2, "echo", { a: 1, b: { c: 2, d: 3 } }));
    await session.send(call(3, "echo", { b: { d: 3, c: 2 }, a: 1 }));
    expect(await session.line("was not run")).toContain('"id":3');
    await session.finish();
  });
});
