import { lockCreationHint } from "../sentences.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";
import { formatSuggestion } from "#kit/sentences.ts";

export const checkSentences = {
  lockMissingInCheck: (file: string) =>
    `Cannot find the lock "${file}"; ${lockCreationHint}; or pass --no-lock to check limits and calls only`,
  answersUnused: (answers: number, file: string) =>
    `Dropped ${pluralize(answers, "recorded answer")} from the lock "${file}": no call in the calls file uses ${answers === 1 ? "it" : "them"}`,
  lockSecret: (file: string) =>
    `Cannot write the lock "${file}": the server's definitions contain the value of a variable in the calls file; if it is not a secret, write the lock with "mcp-meter lock -- <command>" first`,
  budgetNeedsCalls: () => `--budget requires --calls FILE: without it, a check makes no calls`,
  growthNeedsCalls: () =>
    `--max-call-increase requires --calls FILE: it limits how much the answers of calls may grow`,
  growthWithoutAnswers: (file: string) =>
    `Cannot check --max-call-increase: the lock "${file}" has no recorded answers; record them with --update`,
  checkOfNothing: () =>
    `Nothing to check: with --no-lock pass --calls FILE, --max-total N or --max-tool N`,
  callsSkipped: (file: string) => `Every call in "${file}" is skipped: there is nothing to check`,
  callsTooMany: (file: string, calls: number, callsMax: number) =>
    `Cannot make the calls in "${file}": it asks for ${pluralize(calls, "call")}, and at most ${formatCount(callsMax)} can be made`,
  budgetUnused: (spec: string, file: string) =>
    `Budget "${spec}" limits none of the calls in "${file}"`,
  checkBudgetPeriod: (spec: string, per: string) =>
    `Cannot check budget "${spec}": a check supports the periods call and session, not ${per}`,
  toolUnlisted: (tool: string, nearest: string | undefined) =>
    `unknown tool "${tool}"${formatSuggestion(nearest)}: the server does not list it, so the call was not made`,
  toolDenied: (error: string) =>
    `unknown tool, although the server lists it; the server answers "${error}"`,
  serverFailedEarlier: (call: string) => `The server failed at the call "${call}"`,
  serverFailedAtCall: (call: string, failure: string) =>
    `Stopped at the call "${call}": ${failure}`,
} as const;
