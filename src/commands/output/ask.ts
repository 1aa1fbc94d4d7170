import type { Ending, Io } from "#kit/io.ts";
import type { ChunkReader } from "#kit/os/child.ts";
import { openStdin, isatty } from "#kit/os/standard-streams.ts";
import { Teller } from "#kit/text/teller.ts";

export const answerCharactersMax = 1_000;

export type Consent = { readonly isYes: boolean } | { readonly interrupted: Ending };

export function canAsk({ stderr }: Pick<Io, "stderr">): boolean {
  return stderr.isTerminal && isatty(0);
}

export async function ask(
  question: string,
  io: Pick<Io, "stderr" | "signals">,
  open: () => ChunkReader = openStdin,
): Promise<Consent> {
  new Teller(io.stderr).ask(question);
  const interruption = Promise.withResolvers<Consent>();
  const stopListening = io.signals.listen((signal) => {
    if (signal !== "SIGCONT" && signal !== "SIGTSTP")
      interruption.resolve({ interrupted: { signal } });
  });
  const stdin = open();
  const readAnswer = async (): Promise<Consent> => {
    const line = await readFirstLine(stdin);
    return { isYes: /^y(?:es)?$/i.test(line.trim()) };
  };
  try {
    return await Promise.race([readAnswer(), interruption.promise]);
  } finally {
    stopListening();
    void stdin.cancel().catch(() => undefined);
  }
}

async function readFirstLine(stdin: Pick<ChunkReader, "read">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n") && text.length < answerCharactersMax) {
    const { value } = await stdin.read();
    if (!value) break;
    text += decoder.decode(value, { stream: true });
  }
  return text.split("\n", 1)[0] ?? "";
}
