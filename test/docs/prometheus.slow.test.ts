import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../support/folder.ts";
import { has } from "../support/needs.ts";

const hasPromtool = has("promtool", "the rules for Prometheus");
const rules = join(import.meta.dir, "..", "..", "docs", "prometheus");
const stories = join(import.meta.dir, "prometheus");

function promtool(...args: readonly string[]): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...args]);
  return { code: exitCode, text: `${stdout.toString()}${stderr.toString()}` };
}

test.if(hasPromtool).each(readdirSync(rules))("%s is valid", (file) => {
  const { code, text } = promtool("check", "rules", "--lint-fatal", join(rules, file));
  const found = file.includes("alerts") ? 4 : 3;
  expect(text).toContain(`SUCCESS: ${found} rules found`);
  expect(code).toBe(0);
});

test.if(hasPromtool).each(readdirSync(stories))("%s passes", async (file) => {
  using folder = new Folder();
  const text = await Bun.file(join(stories, file)).text();
  const placed = folder.file(file, text.replaceAll("RULES", rules));
  const run = promtool("test", "rules", placed);
  expect(run.text).toContain("SUCCESS");
  expect(run.code).toBe(0);
});

type RuleFile = {
  readonly groups: readonly {
    readonly rules: readonly { readonly record: string; readonly expr: string }[];
  }[];
};

async function expressionIn(file: string, name: string): Promise<string> {
  const { groups } = Bun.YAML.parse(await Bun.file(join(rules, file)).text()) as RuleFile;
  const rule = groups.flatMap((group) => group.rules).find(({ record }) => record === name);
  if (!rule) throw new Error(`${file} does not record ${name}`);
  return rule.expr;
}

type PlayedSession = ReadonlyMap<number, number>;

const minutesMax = 3_000;

/** Exports of a session: its start, then minutes between two exports, each less than a day, and the tokens of each. */
const playedSession: fc.Arbitrary<PlayedSession> = fc
  .record({
    start: fc.nat(2_000),
    exports: fc.array(
      fc.record({
        pause: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 50, max: 1_400 })),
        tokens: fc.nat(1_000),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ start, exports }) => {
    const session = new Map<number, number>();
    let minute = start;
    for (const { pause, tokens } of exports) {
      if (minute < minutesMax) session.set(minute, tokens);
      minute += pause;
    }
    return session;
  });

function valuesOf(session: PlayedSession, isDelta: boolean): string {
  const values: string[] = [];
  let [sum, next] = [0, 0];
  for (const [minute, tokens] of session) {
    sum += tokens;
    if (minute > next) values.push(`_x${minute - next}`);
    values.push(String(isDelta ? tokens : sum));
    next = minute + 1;
  }
  return values.join(" ");
}

function grownInHour(sessions: readonly PlayedSession[], minute: number): number | undefined {
  const grown = sessions
    .flatMap((session) => [...session])
    .filter(([at]) => at <= minute && at > minute - 60);
  return grown.length === 0 ? undefined : grown.reduce((sum, [, tokens]) => sum + tokens, 0);
}

function chanceStory(expr: string, sessions: readonly PlayedSession[], isDelta: boolean): object {
  const labels = 'mcp_meter_server="s",gen_ai_tool_name="t",mcp_meter_part="result"';
  const ends = sessions.flatMap((session) => [...session.keys()]);
  const moments = [...new Set(ends.flatMap((end) => [end, end + 30, end + 59, end + 60]))];
  return {
    interval: "1m",
    input_series: sessions.map((session, at) => ({
      series: `mcp_meter_tokens_total{${labels},instance="${at}"}`,
      values: valuesOf(session, isDelta),
    })),
    promql_expr_test: moments.map((minute) => {
      const value = grownInHour(sessions, minute);
      const sample = { labels: `{${labels}}`, value };
      return {
        expr,
        // At half minutes no point lies on the edge of an hour.
        eval_time: `${minute}m30s`,
        exp_samples: value === undefined ? [] : [sample],
      };
    }),
  };
}

test.if(hasPromtool).each([
  ["mcp-meter-otlp.yml", false],
  ["mcp-meter-otlp-delta.yml", true],
])(
  "%s: sessions of chance have grown by what they counted in the last hour, and by nothing later",
  async (file, isDelta) => {
    using folder = new Folder();
    const expr = await expressionIn(file, "mcp_meter:tokens:1h");
    const property = fc.property(
      fc.array(playedSession, { minLength: 1, maxLength: 5 }),
      (sessions) => {
        const story = {
          evaluation_interval: "1m",
          tests: [chanceStory(expr, sessions, isDelta)],
        };
        const placed = folder.file("chance.test.yml", JSON.stringify(story));
        expect(promtool("test", "rules", placed).text).toContain("SUCCESS");
      },
    );
    fc.assert(property, { numRuns: 10 });
  },
);
