import { describe, expect, test } from "bun:test";
import { commands } from "#commands/index.ts";
import { runCli } from "../../src/cli.ts";
import { fakeIo } from "../support/fake-io.ts";

const options: { readonly [command: string]: string } = {
  run: "tokenizer model as-client window risk calibration budget warn-at max-repeats repeat error-form spill-dir counters fleet counter-timeout on-counter-failure on-fault lock enforce-lock hide only slim max-description log log-fsync server machine user slow on-alert annotate summary summary-file format json output wide prune-older-than prune-keep-bytes cost prices otlp otlp-traces exit-code forwarder config",
  serve:
    "url header header-env port user-header tokenizer model as-client window risk calibration budget warn-at max-repeats repeat error-form spill-dir counters fleet counter-timeout on-counter-failure on-fault lock enforce-lock hide only slim max-description log log-fsync server machine user slow on-alert annotate summary summary-file format json output wide prune-older-than prune-keep-bytes cost prices otlp otlp-traces config",
  wrap: "all settings-of project file remote list print yes dry-run format json output wide",
  unwrap: "all settings-of project file yes dry-run format json output wide",
  trim: "client tool project file since min-sessions apply undo yes dry-run format json output wide",
  report:
    "by order trend resent top since until session timezone machine server tool client estimator format json output wide cost prices model advice sequences what-if",
  count: "tokenizer model exact max-total format json output wide",
  profile:
    "tokenizer model as-client window risk exact format json output wide compare max-total budget prices records configured settings-of project yes url header header-env timeout",
  lock: "check dry-run force lock fail-on max-increase max-total max-tool base tokenizer model as-client window risk format json output wide url header header-env timeout",
  check:
    "calls budget prices max-call-increase update dry-run no-lock lock fail-on max-increase max-total max-tool base tokenizer model as-client window risk format json output wide url header header-env timeout",
  record: "output",
  budgets: "reset dry-run counters fleet counter-timeout format json output wide",
  config: "server config format json output wide",
  tail: "server tool lines format json output wide",
  dash: "port open since timezone prices lock",
  doctor: "format json output wide",
  metrics: "since timezone output",
  prune: "older-than keep-bytes imported yes dry-run automatic format json output wide",
  import:
    "client from server-name servers-from-settings since until timezone no-tokens dry-run list log names no-names format json output wide",
  mcp: "timezone cost prices",
  completion: "output",
};

async function helpOf(...words: readonly string[]): Promise<string> {
  const { io, stdout } = fakeIo({ argv: words });
  expect(await runCli(io)).toEqual({ code: 0 });
  return stdout();
}

describe("help", () => {
  for (const [name, command] of Object.entries(commands)) {
    test(`of ${name} has its usage, and every option where all is asked for`, async () => {
      const whole = await helpOf(name, "--help", "all");
      expect(whole.replaceAll(/\n {7}/g, " ")).toContain(`\nUsage: ${command.usage}\n`);
      for (const option of Object.keys(command.options)) expect(whole).toContain(`--${option} `);
      expect(await helpOf("help", name, "--all")).toBe(whole);
      const short = await helpOf(name, "--help");
      if (short !== whole) expect(short).toEndWith(`: mcp-meter ${name} --help all\n`);
    });
  }

  for (const [name, names] of Object.entries(options)) {
    test(`of ${name} has these options`, () => {
      expect(Object.keys(commands[name]?.options ?? {}).join(" ")).toBe(names);
    });
  }

  test("names the options that may be given several times; any other is refused", async () => {
    const repeatable = Object.values(commands).flatMap(({ name, options: specs }) =>
      Object.keys(specs).flatMap((one) =>
        specs[one]?.isRepeatable === true ? [`${name} --${one}`] : [],
      ),
    );
    expect(repeatable).toEqual([
      "run --budget",
      "run --hide",
      "run --only",
      "serve --header",
      "serve --header-env",
      "serve --budget",
      "serve --hide",
      "serve --only",
      "wrap --settings-of",
      "unwrap --settings-of",
      "trim --client",
      "trim --tool",
      "report --by",
      "report --server",
      "report --tool",
      "report --client",
      "report --estimator",
      "report --what-if",
      "import --client",
      "import --from",
      "import --server-name",
      "validate --client",
      "validate --from",
      "validate --server-name",
      "profile --budget",
      "profile --settings-of",
      "profile --header",
      "profile --header-env",
      "lock --max-tool",
      "lock --format",
      "lock --header",
      "lock --header-env",
      "check --budget",
      "check --max-tool",
      "check --format",
      "check --header",
      "check --header-env",
      "tail --server",
      "tail --tool",
      "dash --lock",
      "prune --imported",
    ]);
    for (const [words, code] of [
      ["check --calls a --calls b", 2],
      ["check --max-total 1 --max-total=9k", 2],
      ["record --output a --output b", 2],
      ["run --log a --log b", 125],
      ["--log a --log b", 125],
    ] as const) {
      const { io, stdout, stderr } = fakeIo({ argv: [...words.split(" "), "--", "true"] });
      expect([words, await runCli(io), stdout()]).toEqual([words, { code }, ""]);
      expect(stderr()).toContain(" is given twice; it takes one value\n");
    }
  });

  test("of report is this text", async () => {
    expect(await helpOf("report", "--help")).toMatchInlineSnapshot(`
      "Print which servers, tools and days fill the context, with costs.

      Usage: mcp-meter report [options] [FILE|FOLDER|-]…

      Table:
            --by AXIS  rows: hour, day, week, month, session, server, tool, model,
                       client, agent, project, machine, user, estimator, confidence;
                       give it twice to nest rows (default: the summary of FILE;
                       without FILE, an overview on one screen; repeatable)
            --trend    compare the calls of each server and tool with its calls in the
                       previous period
            --top N    print the N largest rows, and the sum of the rest

      Records:
            --since WHEN    from a date such as 2026-11-01 or 20261101, or the last
                            24h, 7d, 4w (default: all of FILE; without FILE, the last
                            7 days)
            --until WHEN    to the end of a date, or everything before the last 24h,
                            7d or 4w
            --server NAME   only servers that match this name or pattern (repeatable)
            --tool NAME     only tools that match this name or pattern (repeatable)
            --client NAME   only clients that match this name or pattern (repeatable)
            --estimator ID  only sessions counted by this estimator (repeatable)

      Output:
            --format FORMAT  output format: table, markdown, json, csv (default:
                             table)
            --json           same as --format json
        -o, --output FILE    write to a file instead of stdout
            --wide           print all columns, and names in full
            --cost           add the cost of calls, and how it was computed
            --model NAME     for calls of an unknown model, use the prices of NAME,
                             such as gpt-5.5

      Other reports:
            --advice  print what to change, and the tokens it would save

      General:
        -h, --help [all]  show help; "all" shows every option
        -V, --version     show the version

      Examples:
        # print the last 7 days on one screen
        mcp-meter report
        # print the tools of each server since that day
        mcp-meter report --by server --by tool --since 2026-11-01
        # print what to change, based on the records of a month
        mcp-meter report --advice --since 30d
        # compare the last 7 days with the 7 days before them
        mcp-meter report --trend
        # print a session's exit summary again
        mcp-meter report calls.ndjson
        # print the summary of all sessions as one JSON object
        mcp-meter report --json ~/.local/state/mcp-meter/sessions

      Exit codes:
        0    the report was printed, or there are no records for the period
        2    invalid options, an unreadable file, or FILEs without records

      All options and variables: mcp-meter report --help all
      "
    `);
  });

  test("of the program is this text", async () => {
    expect(await helpOf("help")).toMatchInlineSnapshot(`
      "See what an MCP server costs, and stop the calls that cost too much.

      Usage: mcp-meter [run] [options] -- <command> [args…]
             mcp-meter <command> [options]

      Commands:
        run         Run an MCP server behind the meter (the default command)
        serve       Meter a server behind a URL; clients connect to a local address
        wrap        Put mcp-meter in front of the servers in clients' settings
        unwrap      Remove mcp-meter from the settings of MCP clients
        trim        List tools that no recent session called; --apply hides them
        report      Print which servers, tools and days fill the context, with costs
        statusline  Print the MCP cost of a session as Claude Code's status line
        import      Compute the cost of MCP servers from the logs of clients
        validate    Compare estimates with the tokens that clients logged
        count       Count the tokens of files or stdin
        profile     Price the definitions of a server, or of your clients' servers
        lock        Pin the definitions of a server and their cost, and detect drift
        check       Check a server in CI: its lock, its limits and a file of calls
        record      Record a session's calls in a file for mcp-meter check
        budgets     Print or reset the counters of budgets
        config      Print the options of mcp-meter run, with the source of each value
        tail        Print each call as it ends, from all sessions on this machine
        dash        Show this machine's records live on a local page
        doctor      Check this installation, and print how to fix each problem
        prune       Remove old records and saved answers; daily totals stay
        metrics     Print totals of all metered sessions as Prometheus text
        mcp         Serve usage, budgets and advice to an agent, as an MCP server
        completion  Print a shell completion script
        help        Show help for a command

      Common options:
            --model NAME      target model; selects tokenizer, image pricing, window
            --budget SPEC     limit usage: [TOOL=]LIMIT[/PER[/OWNER]][:ACTION], as in
                              search=2000 or '$5/day/user'; LIMIT: tokens, dollars
                              ($5) or calls (9calls), 0 forbids a tool; all=LIMIT
                              counts all servers together; OWNER: user, fleet; PER:
                              call, session, minute, hour, day, week, month; ACTION:
                              error, warn, truncate, spill, throttle (repeatable)
            --log FILE        file for records; - for stderr, off for none (default: a
                              new file per session)
            --server NAME     name of the server in records (default: the name that it
                              reports)
            --summary FORMAT  format of the summary at exit: table, markdown, json,
                              off (default: table)
            --cost            add the cost of calls at list prices, as a range

      General:
        -h, --help [all]  show help; "all" shows every option
        -V, --version     show the version

      Examples:
        # meter a server
        mcp-meter -- npx -y @modelcontextprotocol/server-memory
        # stop costly calls
        mcp-meter --budget search=2000 --budget 100k/session -- ./server

      All options: mcp-meter run --help all
      "
    `);
  });
});
