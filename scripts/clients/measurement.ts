import type { ComparedAnswer } from "./compare/answers.ts";
import type { ComparedDefinitions } from "./compare/definitions.ts";
import type { ComparedRequests } from "./compare/requests.ts";
import { isClose } from "./compare/tolerance.ts";

/** A refusal by a budget: true where its text was read as mcp-meter wrote it. */
export type ComparedRefusal = {
  readonly tool: string;
  readonly form: "tool" | "rpc";
  readonly isVerbatim: boolean;
};

/** The result of a run with one client. */
export type Measurement = {
  readonly title: string;
  readonly version: string;
  /** The day, as 2026-11-22. */
  readonly on: string;
  readonly answers: readonly ComparedAnswer[];
  readonly definitions: ComparedDefinitions;
  readonly requests: ComparedRequests;
  readonly refusals: readonly ComparedRefusal[];
  /** Metered sessions, and those of them whose records have an end. */
  readonly sessions: { readonly total: number; readonly ended: number };
  /** Command lines of processes that outlived their session. */
  readonly leftovers: readonly string[];
};

/** A sentence for everything that is not as it should be; none when all is well. */
export function findProblems(measurement: Measurement): readonly string[] {
  const { answers, definitions, requests, refusals, leftovers } = measurement;
  const wrong = answers.filter(({ isRight }) => !isRight);
  const pairs = Object.entries(definitions).filter(([, pair]) => !isClose(pair));
  return [
    ...wrong.map((answer) => `${answer.tool}: ${describeAnswer(answer)}`),
    ...pairs.map(
      ([name, pair]) => `${name} definitions: ${pair.read} read, ${pair.counted} counted`,
    ),
    ...(requests.difference
      ? [
          `requests: ${requests.same} of ${requests.total} are the same; ${requests.difference.join(" <> ")}`,
        ]
      : []),
    ...refusals
      .filter(({ isVerbatim }) => !isVerbatim)
      .map(({ tool, form }) => `refusal of ${tool} (${form}): not read verbatim`),
    ...leftovers.map((line) => `left running: ${line}`),
  ];
}

function describeAnswer({ read, counted, isCut, isAlerted }: ComparedAnswer): string {
  const tokens = `${read} tokens read, ${counted} counted`;
  if (isCut === isAlerted) return tokens;
  return `${tokens}; ${isCut ? "cut without an alert" : "an alert, and not cut"}`;
}
