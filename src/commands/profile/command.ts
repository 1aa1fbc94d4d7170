import { requireStateFolder, locateSessions } from "#state/storage/folders.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import {
  type LargestAnswersVerdict,
  judgeLargestAnswers,
  rejectUnmatchedBudgets,
} from "#check/judge-largest-answers.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import type { Ending, Io } from "#kit/io.ts";
import {
  profileServer,
  type ProfileContext,
  type ServerListing,
  compareProfiles,
  type StoredProfile,
  RecordedAnswers,
} from "#lock/profile.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { findSavings, type ProfileWithSavings } from "#lock/find-savings.ts";
import { renderProfileBadge } from "#screens/renderers/badge.ts";
import {
  buildAnswerSections,
  buildProfileDocument,
  buildComparisonDocument,
} from "#screens/renderers/documents/profile.ts";
import { nameServer } from "#screens/renderers/documents/shared-texts.ts";
import { type Printout, render } from "#screens/renderers/index.ts";
import { readClaudeEnvironment } from "#state/storage/clients/find-settings.ts";
import { readProfileFile } from "#state/storage/report-file.ts";
import { findRecordSources, findRecordSourcesBelow } from "#state/storage/find-record-files.ts";
import { Teller } from "#kit/text/teller.ts";
import { addExactCounts, openExactCounts, type OpenExactCounts } from "../exact-option.ts";
import { openBudgetPrices } from "../price-options.ts";
import { judgeTotals, printOutput } from "../output/output-options.ts";
import { makeProfileContext } from "../reader-chooser.ts";
import { readSources } from "../report/read-usage.ts";
import { makeServerListing, visitForListing } from "#check/mcp-client/visit.ts";
import { resolveServer } from "../connection-options.ts";
import { profileSentences, type ProfileOptions } from "./options.ts";

export async function profile(options: ProfileOptions, io: Io): Promise<Ending> {
  const { earlierFile, format, tokensMax } = options;
  const earlier = earlierFile === undefined ? undefined : readProfileFile(earlierFile);
  const exact =
    options.exactModel === undefined ? undefined : await openExactCounts(options.exactModel, io);
  const prices = await openBudgetPrices(options);
  const { redact, visited } = await visitForListing(resolveServer(options, io.env), io);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = makeServerListing(visited.visit);
  const baseContext = makeProfileContext(options, readClaudeEnvironment(io.env));
  const context = await addRecordedAnswers(listing, baseContext, options, io);
  const measuredProfile = await measureProfile(listing, context, exact);
  const verdicts = judgeToolBudgets(options.budgets, measuredProfile, prices);
  const printout = addVerdicts(
    buildPrintout(measuredProfile, earlierFile ?? "", earlier),
    verdicts,
  );
  await printOutput(
    (page) =>
      redact(
        format === "badge" ? renderProfileBadge(measuredProfile) : render(format, printout, page),
      ),
    options,
    io,
  );
  const { total_tokens: total } = measuredProfile.definitions;
  const { tell } = new Teller(io.stderr);
  const exceedsBudget = verdicts.some(
    ({ is_enforced: isEnforced, over }) => isEnforced && over.length > 0,
  );
  const ending = judgeTotals([["the tool list", total]], tokensMax, tell);
  return exceedsBudget ? { code: exitCodes.failed } : ending;
}

function judgeToolBudgets(
  budgets: readonly Budget[],
  { tools }: ProfileWithSavings,
  prices: CallPrices | undefined,
): LargestAnswersVerdict[] {
  rejectUnmatchedBudgets(
    budgets,
    tools.map(({ name }) => name),
  );
  return budgets.map((budget) => judgeLargestAnswers(budget, tools, prices));
}

function addVerdicts(
  { document, data }: Printout,
  budgets: readonly LargestAnswersVerdict[],
): Printout {
  if (budgets.length === 0) return { document, data };
  const sections = [...document.sections, ...buildAnswerSections(budgets)];
  return { document: { ...document, sections }, data: { ...Object(data), budgets } };
}

async function addRecordedAnswers(
  listing: ServerListing,
  context: ProfileContext,
  { records }: ProfileOptions,
  io: Io,
): Promise<ProfileContext> {
  if (records === undefined) return context;
  const folder = records === true ? requireStateFolder(io.env) : records;
  const { tools: estimates } = estimateDefinitions(listing, context.reader, context.hash);
  const recordedAnswers = new RecordedAnswers(listing.server.name, estimates);
  const sources =
    records === true
      ? findRecordSourcesBelow(locateSessions(folder), -Infinity)
      : await findRecordSources([folder]);
  await readSources(sources, (record) => recordedAnswers.add(record), new Teller(io.stderr).tell);
  return { ...context, recorded: recordedAnswers };
}

async function measureProfile(
  listing: ServerListing,
  context: ProfileContext,
  exact: OpenExactCounts | undefined,
): Promise<ProfileWithSavings> {
  const estimatedDefinitions = estimateDefinitions(listing, context.reader, context.hash);
  // Savings are differences between estimates, so they do not use exact counts.
  const savings = findSavings(listing, estimatedDefinitions, context);
  if (!exact) return { ...profileServer(listing, estimatedDefinitions, context), savings };
  try {
    await exact.counts.storeDefinitionCounts(listing.tools);
  } finally {
    exact.cache.save();
  }
  const reader = addExactCounts(context.reader, exact.cache);
  const definitions = estimateDefinitions(listing, reader, context.hash);
  return { ...profileServer(listing, definitions, context), savings };
}

function buildPrintout(
  measured: ProfileWithSavings,
  file: string,
  earlier: StoredProfile | undefined,
): Printout {
  if (!earlier) return { document: buildProfileDocument(measured), data: measured };
  const [before, current] = [earlier.estimator.id, measured.estimator.id];
  if (before !== current)
    throw new UserError(profileSentences.estimatorDiffers(file, before, current));
  const [earlierSource, currentSource] = [nameCountSource(earlier), nameCountSource(measured)];
  if (earlierSource !== currentSource)
    throw new UserError(profileSentences.countSourceDiffers(file, earlierSource, currentSource));
  const comparison = compareProfiles(file, earlier, measured);
  const document = buildComparisonDocument(comparison, {
    title: nameServer(measured.server),
    noun: "tool",
    totalLabel: "definitions",
    estimators: [measured.estimator],
  });
  return { document, data: { ...measured, comparison } };
}

function nameCountSource({
  estimator,
  definitions: { counted_by: source },
}: StoredProfile): string {
  return source === undefined ? estimator.id : `${source.maker} for ${source.model}`;
}
