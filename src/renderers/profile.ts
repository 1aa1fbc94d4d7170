import { summaryRowsMax } from "#limits.ts";
import type { Profile } from "#lock/profile.ts";
import type { ProfiledTool } from "#lock/profiled-tool.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { confidenceDots } from "./confidence.ts";
import { documentAsMarkdown, documentAsTable, type Document, type Section } from "./document.ts";
import type { RenderOptions } from "./options.ts";
import type { ProfileFormat } from "./profile-formats.ts";
import { plural, shownCount, shownShare } from "./text.ts";

/** Recommendations printed; JSON has them all. */
const recommendationsShown = 20;

/** The profile in that format: text that ends with a newline. */
export function renderProfile(
  format: ProfileFormat,
  profile: Profile,
  options: RenderOptions,
): string {
  if (format === "json") return `${safeJson(profile, 2)}\n`;
  const document = profileDocument(profile);
  return format === "table" ? documentAsTable(document, options) : documentAsMarkdown(document);
}

/** What a profile says to a person. */
export function profileDocument(profile: Profile): Document {
  const { server } = profile;
  const name = `${server.name ?? "server"}${server.version === null ? "" : ` ${server.version}`}`;
  return {
    title: { name },
    sections: [
      toolGrid(profile),
      { kind: "notes", notes: notes(profile) },
      { kind: "notes", notes: advice(profile).slice(0, recommendationsShown) },
      ...moreRecommendations(profile),
    ],
  };
}

function toolGrid({ tools, estimator }: Profile): Section {
  const mark = estimator.is_estimated ? "~" : "";
  const count = (tokens: number): string => `${mark}${shownCount(tokens)}`;
  const shown = tools.toSorted((one, other) => other.tokens - one.tokens);
  const rows = shown
    .slice(0, summaryRowsMax)
    .map((tool) => [
      { name: tool.name },
      count(tool.tokens),
      count(tool.name_tokens),
      count(tool.description_tokens),
      count(tool.schema_tokens),
      shownShare(tool.percent_total / 100),
      shownShare(tool.percent_window / 100),
      `${tool.input_fields}/${tool.output_fields}`,
      worstCase(tool),
      tool.risk,
    ]);
  const left = shown.slice(summaryRowsMax);
  const more = [
    `${left.length} more tools`,
    count(left.reduce((sum, { tokens }) => sum + tokens, 0)),
    ...Array<string>(8).fill(""),
  ];
  const heads = ["tokens", "name", "descr", "schema", "share", "window", "fields", "worst"];
  return {
    kind: "grid",
    columns: [
      { head: "tool" },
      ...heads.map((head) => ({ head, isNumber: true })),
      { head: "risk" },
    ],
    rows: left.length > 0 ? [...rows, more] : rows,
  };
}

/** An answer that nothing bounds is marked: its number is no maximum. */
function worstCase({ worst_case: worst }: ProfiledTool): string {
  return `${shownCount(worst.tokens)}${worst.basis === "unbounded" ? "+" : ""}`;
}

function notes(profile: Profile): [string, string][] {
  const { definitions, estimator, instructions, verdict, window } = profile;
  const mark = estimator.is_estimated ? "~" : "";
  const tokens = (count: number): string => `${mark}${shownCount(count)} tokens`;
  const share = shownShare(definitions.percent_window / 100);
  const said: [string, string][] = [
    [
      "definitions",
      `${plural(definitions.tools, "tool")}, ${tokens(definitions.total_tokens)}, ${share} of a window of ${shownCount(window)}`,
    ],
  ];
  if (definitions.wire_only_tokens > 0) {
    said.push(["wire only", `${tokens(definitions.wire_only_tokens)} that no model reads`]);
  }
  if (instructions.tokens > 0) said.push(["instructions", tokens(instructions.tokens)]);
  const lists = [
    ["prompts", profile.prompts],
    ["resources", profile.resources],
    ["templates", profile.resource_templates],
  ] as const;
  for (const [about, { listed, tokens: count }] of lists) {
    if (listed > 0) said.push([about, `${shownCount(listed)} listed, ${tokens(count)} if read`]);
  }
  const { unbounded, critical } = verdict;
  const worst = `${verdict.risk}, the worst of its tools`;
  said.push(["verdict", profile.tools.length === 0 ? "no tools" : worst]);
  if (unbounded.length > 0) said.push(["unbounded", namesOf(unbounded)]);
  if (critical.length > 0) said.push(["critical", namesOf(critical)]);
  const hint = mark === "" ? "" : "; ~ marks estimates";
  const how = `${estimator.id} ${confidenceDots[estimator.confidence]} ${estimator.error}${hint}`;
  return [...said, ["counted by", `${how}; + marks answers that nothing bounds`]];
}

const namesShown = 8;

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => name.slice(0, 60));
  const more = names.length > namesShown ? `, and ${names.length - namesShown} more` : "";
  return `${plural(names.length, "tool")}: ${shown.join(", ")}${more}`;
}

/** Recommendations that say the same of several tools are one line. */
function advice({ recommendations }: Profile): [string, string][] {
  const tools = new Map<string, { severity: string; text: string; names: string[] }>();
  for (const { severity, text, tool } of recommendations) {
    const key = `${severity} ${text}`;
    const same = tools.get(key) ?? { severity, text, names: [] };
    same.names.push(tool);
    tools.set(key, same);
  }
  return [...tools.values()].map(({ severity, text, names }) => [
    severity,
    `${text} (${namesOf(names)})`,
  ]);
}

function moreRecommendations(profile: Profile): Section[] {
  const more = advice(profile).length - recommendationsShown;
  if (more <= 0) return [];
  return [{ kind: "line", text: `${plural(more, "more recommendation")}, see --format json` }];
}
