import { pluralize } from "#kit/text/numbers.ts";
import type { ActionId } from "#meter/actions/action-rules.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import { describeReason } from "#kit/sentences.ts";

export const refusalReasons = {
  unparsable: "its file cannot be parsed",
  duplicate: "a name occurs twice",
  missing: "it takes a setting from elsewhere in the file, through a YAML merge key",
  special_syntax: "it uses a YAML anchor, alias or tag",
  not_a_list: "its arguments are not a list",
  not_a_string: "one of its arguments is not a string",
  layout: "its command or URL is not written as one string on one line",
  meaning: "the change would alter the meaning of the file",
  irreversible: "it could not be changed back",
  unwritable: "its file cannot be written",
  remote_client: "its client does not read remote servers from this file",
  remote_url:
    "its URL is missing, is not http or https, or has characters that a shell would interpret",
  remote_url_placeholder: "its URL has a placeholder, which only its client can fill",
  remote_url_secret:
    "its URL may hold a secret, and everyone on this machine can read the arguments of a program",
  remote_transport: "its transport is not HTTP or SSE",
  remote_header: "mcp-remote cannot send the header",
  remote_placeholder:
    "its client may fill a placeholder differently in an environment variable than in the header",
  remote_option: "mcp-remote has no counterpart for the option",
  contradictory_options: "its options contradict the new ones; unwrap it first",
  meter_missing:
    "the mcp-meter in front of it is missing, so the server does not start; unwrap it first",
} as const;

export function describeRefusal(
  key: keyof typeof refusalReasons,
  subject: string | undefined,
): string {
  return subject === undefined ? refusalReasons[key] : `${refusalReasons[key]} "${subject}"`;
}

export const restartTexts = {
  application: (client: string) => `quit ${client} and start it again`,
  session: (client: string) => `start a new session of ${client}`,
  servers: (client: string) => `restart the servers in ${client}, or restart ${client}`,
} as const;

export const remoteTexts = {
  wrapped: (bridge: string) =>
    `npx starts ${bridge}, which connects to the server; if the server requires OAuth, a browser opens for you to sign in again`,
  passRemote: () => "pass --remote to meter remote servers, through mcp-remote",
  mcpRemoteKept: (server: string) =>
    `"${server}" was edited after it was wrapped, or mcp-meter's notes on it are missing, so only mcp-meter is removed; the entry still starts mcp-remote`,
} as const;

const budgetEffects: { readonly [action: string]: string } = {
  error: "refuses calls",
  warn: "warns",
  truncate: "shortens answers",
  spill: "saves long answers to files",
  throttle: "delays calls",
} satisfies { readonly [action in ActionId]: string };

function describeBudgets(budgets: readonly Budget[]): string {
  return budgets.map(({ spec, action }) => `${spec} (${budgetEffects[action]})`).join(", ");
}

export const wrapTexts = {
  firstSteps: () =>
    `mcp-meter counts what MCP servers cost, and stops calls that cost too much.

  mcp-meter wrap     put it in front of your clients' servers; unwrap undoes it
  mcp-meter import   read the logs that your clients have kept so far
  mcp-meter report   see which servers, tools and days fill the context

One server by hand:  mcp-meter -- npx -y some-server
Check your setup:    mcp-meter doctor
All commands:        mcp-meter --help
`,
  paste: (server: string, file: string) =>
    `# "${server}" in ${file}: replace its command and arguments with`,
  pasteRemote: (server: string, file: string, member: string) =>
    `# "${server}" in ${file}: replace its "${member}" with`,
  pasteName: (from: string, to: string) => `# replace "${from}" with "${to}"`,
  budgetsAdded: (server: string, kept: readonly Budget[], added: readonly Budget[]) =>
    `"${server}" keeps ${describeBudgets(kept)}, and also gets ${describeBudgets(added)}`,
  pasteRefused: (server: string, file: string, reason: string) =>
    `# "${server}" in ${file}: left as it is; ${reason}`,
  unprintable: (server: string, file: string, reason: string) =>
    `# "${server}" in ${file}: put mcp-meter in front of it by hand; ${reason}`,
} as const;

export const wrapSentences = {
  settingsClientUnknown: (
    option: string,
    name: string,
    nearest: string | undefined,
    known: string,
  ) =>
    `--${option} must be one of ${known}, not "${name}"` +
    (nearest === undefined ? "" : `; did you mean ${nearest}?`),
  wrapServersMissing: () => `missing server; name one or more, or pass --all`,
  wrapFlagUnexpected: (word: string) =>
    `unexpected argument "${word}" after --; only options of "mcp-meter run" may follow, as in "mcp-meter wrap --all -- --budget 100k/session"`,
  wrapFlagFileMissing: (option: string, file: string) =>
    `Cannot find "${file}" for --${option}; a server behind mcp-meter does not start without this file`,
  wrapNameUnknown: (path: string) =>
    `Cannot write "${path}" into settings: the program must be named mcp-meter; build it with "bun run build", or rename it`,
  wrapFromCache: (path: string) =>
    `Cannot write "${path}" into settings: it is in a cache that may be emptied; install mcp-meter first`,
  wrapServerUnknown: (name: string, nearest: string | undefined) =>
    `Cannot find a server "${name}" in the settings` +
    (nearest === undefined
      ? `; list all with "mcp-meter wrap --list", or search a project too with --project DIR`
      : `; did you mean "${nearest}"?`),
  wrapProjectIgnored: () =>
    `Leaving out the settings of the project in this folder; pass --project . to include them`,
  wrapAgain: (unwrapping: string) =>
    `Wrapping again keeps the options that you leave out; to remove some, run "${unwrapping}", and wrap again`,
  wrapFileMissing: (file: string) => `Cannot find the settings "${file}"`,
  wrapFileUnknown: (file: string) =>
    `Found no servers of a known client in "${file}"; name its client, as in --settings-of cursor`,
  wrapNoServers: () =>
    `Found no MCP servers in the settings of known clients; name a file with --file`,
  settingsUnreadable: (place: string, reason: string) =>
    `Cannot read the settings ${place}: ${describeReason(reason)}; they are left unchanged`,
  settingsUnwritable: (file: string, reason: string) =>
    `Cannot write the settings "${file}": ${describeReason(reason)}; they are left unchanged`,
  settingsChanged: (file: string) =>
    `Cannot write the settings "${file}": another program is writing them; close the client and try again`,
  backupHomeMissing: () => `Cannot keep a backup of settings: set HOME or XDG_STATE_HOME`,
  backupFailed: (file: string, reason: string) =>
    `Cannot keep a backup of "${file}": ${describeReason(reason)}; the file is left unchanged`,
  remoteNotesFailed: (notes: string, file: string, reason: string) =>
    `Cannot write the notes "${notes}" about remote servers: ${describeReason(reason)}; "${file}" is left unchanged`,
  journalFailed: (file: string, reason: string) =>
    `Cannot write the journal "${file}": ${describeReason(reason)}; the time of this change is not recorded`,
  trimUnjournaled: (journal: string, file: string, reason: string) =>
    `Cannot write the journal "${journal}", which "trim --undo" needs: ${describeReason(reason)}; "${file}" is left unchanged`,
  wrapRefused: (servers: number) =>
    servers === 1
      ? "Left 1 server as it is; the reason follows its name"
      : `Left ${pluralize(servers, "server")} as they are; a reason follows each name`,
  wrapQuestion: (files: number) =>
    files === 1 ? "Change this file? [y/N]" : `Change these ${pluralize(files, "file")}? [y/N]`,
  wrapDeclined: () => `Nothing was changed`,
  wrapHowTo: (command: string) => `Nothing was changed; to apply the changes, run "${command}"`,
} as const;
