import type { Ending, Io } from "#io.ts";
import { answerCharactersMax } from "#limits/examination.ts";
import { openStdin } from "#os/stdin.ts";
import { isatty } from "#os/terminal.ts";
import { Teller } from "#text/teller.ts";

/** The answer of a person at a terminal, or the signal that came in its place. */
export type Consent = { readonly isYes: boolean } | { readonly interrupted: Ending };

/** True when a question can be shown to a person who can answer it. */
export function canAsk({ stderr }: Pick<Io, "stderr">): boolean {
  return stderr.isTerminal && isatty(0);
}

/** Shows a question and reads one line: `y` and `yes` are a yes, everything else and the end of stdin are not. */
export async function ask(question: string, io: Pick<Io, "stderr" | "signals">): Promise<Consent> {
  new Teller(io.stderr).ask(question);
  const interruption = Promise.withResolvers<Consent>();
  const stopListening = io.signals.listen((signal) => {
    if (signal !== "SIGCONT" && signal !== "SIGTSTP")
      interruption.resolve({ interrupted: { signal } });
  });
  const stdin = openStdin();
  const reading = async (): Promise<Consent> => {
    const line = await firstLine(stdin);
    return { isYes: /^y(?:es)?$/i.test(line.trim()) };
  };
  try {
    return await Promise.race([reading(), interruption.promise]);
  } finally {
    stopListening();
    void stdin.cancel().catch(() => undefined);
  }
}

async function firstLine(stdin: Pick<ReturnType<typeof openStdin>, "read">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n") && text.length < answerCharactersMax) {
    const { value } = await stdin.read();
    if (!value) break;
    text += decoder.decode(value, { stream: true });
  }
  return text.split("\n", 1)[0] ?? "";
}
