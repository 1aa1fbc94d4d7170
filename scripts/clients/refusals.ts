import { callArguments } from "./client.ts";
import type { ComparedRefusal } from "./measurement.ts";
import { refusedTexts } from "./refused-texts.ts";
import { meteredServer, partsOf, runSession, sessionFolder, type Setting } from "./session.ts";

/** A tool that is forbidden, and one whose answer is withheld. */
const budgets = { text: "text=0", long_15k: "long_15k=1000" };
const tools = Object.keys(budgets);

/** A session whose budgets refuse every call. */
type RefusedSession = { readonly log: string; readonly refusals: readonly ComparedRefusal[] };

/** Runs sessions whose budgets refuse calls, as results of tools and as JSON-RPC errors. */
export async function playRefusals(
  setting: Setting,
  clientName: string,
): Promise<readonly RefusedSession[]> {
  return [
    await playRefusal(setting, clientName, "tool"),
    await playRefusal(setting, clientName, "rpc"),
  ];
}

async function playRefusal(
  setting: Setting,
  clientName: string,
  form: "tool" | "rpc",
): Promise<RefusedSession> {
  const { driver } = setting;
  const name = `refused-${form}`;
  const limits = Object.values(budgets).flatMap((budget) => ["--budget", budget]);
  const options = [...limits, "--error-form", form];
  const session = await runSession(setting, name, tools, options);
  const silent = [...options, "--log", "off", "--summary", "off"];
  const server = meteredServer(setting, sessionFolder(setting, name), silent);
  const calls = tools.map((tool) => ({ tool, args: callArguments }));
  const texts = await refusedTexts(server, clientName, calls);
  const refusals = tools.map((tool, at) => {
    const read = JSON.stringify(partsOf(driver, session, tool));
    const text = JSON.stringify(texts[at] ?? "").slice(1, -1);
    return { tool, form, isVerbatim: text !== "" && read.includes(text) };
  });
  return { log: session.log, refusals };
}
