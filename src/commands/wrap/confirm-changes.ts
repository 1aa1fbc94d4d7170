import { exitCodes, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { Teller } from "#kit/text/teller.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { findStateFolder, rejectOccupiedFolder } from "#state/storage/folders.ts";
import { ask, canAsk, type Consent } from "../output/ask.ts";
import { applyPlan } from "./apply-plan.ts";
import type { Selection } from "./options.ts";
import type { FilePlan, SettingsTask } from "./plan-file.ts";
import { wrapSentences } from "./sentences.ts";

export type ConfirmationPrompt = {
  readonly canAsk: (io: Io) => boolean;
  readonly ask: (question: string, io: Io) => Promise<Consent>;
};

const terminalPrompt: ConfirmationPrompt = { canAsk, ask };

export type Plans = { readonly plans: readonly FilePlan[]; readonly unreadFiles: number };

type Change = {
  readonly options: Selection;
  readonly task: SettingsTask;
  readonly print: (plans: readonly FilePlan[], isDryRun: boolean) => Promise<void>;
  readonly tellHints?: () => void;
  readonly prompt?: ConfirmationPrompt | undefined;
};

export async function confirmAndApply(
  { plans, unreadFiles }: Plans,
  change: Change,
  io: Io,
): Promise<Ending> {
  const { options, task, print, tellHints } = change;
  const changingFiles = plans.filter(({ after }) => after !== undefined).length;
  if (!options.isConfirmed || changingFiles === 0) {
    await print(plans, true);
    tellHints?.();
    const hasNothingToAsk = changingFiles === 0 || options.isDryRun;
    const consent = hasNothingToAsk
      ? { isYes: false }
      : await confirmChange(changingFiles, change, io);
    if ("interrupted" in consent) return consent.interrupted;
    if (!consent.isYes) return decideEnding(plans, unreadFiles, task, io);
  }
  const stateFolder = findStateFolder(io.env);
  if (stateFolder === undefined)
    throw new UserError(wrapSentences.backupHomeMissing(), exitCodes.failed);
  rejectOccupiedFolder(stateFolder);
  const { tell } = new Teller(io.stderr);
  const appliedPlans = plans.map((plan) => applyPlan(plan, task, stateFolder, tell));
  await print(appliedPlans, false);
  if (options.isConfirmed) tellHints?.();
  return decideEnding(appliedPlans, unreadFiles, task, io);
}

async function confirmChange(
  files: number,
  { options, task, prompt = terminalPrompt }: Change,
  io: Io,
): Promise<Consent> {
  const { tell } = new Teller(io.stderr);
  if (options.format === "json" || !prompt.canAsk(io)) {
    tell(wrapSentences.wrapHowTo(formatConfirmedLine(task, io)));
    return { isYes: false };
  }
  const consent = await prompt.ask(wrapSentences.wrapQuestion(files), io);
  if ("isYes" in consent && !consent.isYes) tell(wrapSentences.wrapDeclined());
  return consent;
}

function formatConfirmedLine({ names, action }: SettingsTask, { argv }: Io): string {
  const cut = argv.indexOf("--");
  const [words, flags] = cut < 0 ? [argv, []] : [argv.slice(0, cut), argv.slice(cut)];
  const isChosen = names.length > 0 || words.includes("--all") || action === "trim";
  const selection = isChosen || action === "untrim" ? [] : ["--all"];
  return ["mcp-meter", ...words, ...selection, "--yes", ...flags].map(quoteShellWord).join(" ");
}

export function decideEnding(
  plans: readonly FilePlan[],
  unreadFiles: number,
  { names, action }: SettingsTask,
  { stderr }: Io,
): Ending {
  const wrapsNamedServers = action === "wrap" && names.length > 0;
  const refused = plans
    .flatMap(({ servers }) => servers)
    .filter(({ state }) => state === "refused" || (wrapsNamedServers && state === "remote"));
  const unreported = refused.filter(({ refusal }) => refusal !== "unwritable").length;
  if (unreported > 0) new Teller(stderr).tell(wrapSentences.wrapRefused(unreported));
  return { code: refused.length > 0 || unreadFiles > 0 ? exitCodes.failed : exitCodes.ok };
}
