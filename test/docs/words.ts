import type { Prose } from "./prose.ts";

export type BannedWording = {
  readonly pattern: RegExp;
  readonly write: string;
  readonly bad: string;
  readonly good: string;
};

function ban(pattern: RegExp, write: string, bad: string, good: string): BannedWording {
  return { pattern, write, bad, good };
}

/** Wordings that no text of the project contains. Questions may begin with what and who. */
export const bannedWordings: readonly BannedWording[] = [
  // Words with another word in this project, or none.
  ban(/\bpurses?\b/i, "budget counter", "3 purses were reset", "Reset 3 budget counters"),
  ban(/\bdearest\b/i, "most expensive", "the dearest call", "the most expensive call"),
  ban(/\bas agreed\b/i, "as locked", 'Tool "x" is not as agreed', "differs from the lock"),
  ban(
    /\bcounters? (?:was|were|is|are) emptied\b/i,
    "reset",
    "1 counter was emptied",
    "Reset 1 counter",
  ),
  ban(
    /\bof its budget of\b/i,
    "its budget of … is used up",
    "Of its budget of 2, 1 is spent",
    "its budget of 2",
  ),
  // "not X", never "no X".
  ban(
    /(?<!\bthere )\b(?:is|are|was|were|be|been|being) no (?!longer\b|more\b|less\b|slower\b|faster\b|larger\b|smaller\b)/i,
    "is not",
    "what is no UTF-8",
    "there is no file, it is no longer open, it is no slower",
  ),
  // Verbs of processing, none of perception.
  ban(/\b(?:tells?|told|telling)\b/i, "print, report, say", "is told once", "is reported once"),
  ban(/\bhears?\b|\bheard\b/i, "receive", "the meter hears of it", "the meter receives it"),
  ban(
    /\bsees\b|\bsaw\b/i,
    "read, receive",
    "before the server sees it",
    "before it reaches the server",
  ),
  ban(
    /\blook(?:s|ed|ing)?\s+(?:at|after|again|away)\b|\ba look\b/i,
    "read, inspect",
    "lines are looked at",
    "read lines; look up a name",
  ),
  ban(/\bheed(?:s|ed)?\b/i, "respect, apply", "the variable is heeded", "the variable applies"),
  // Clauses that stand for a noun.
  ban(/\bso many\b/i, "the number of", "so many lines were written", "`lines` were written"),
  ban(/\bwho(?:m|se)?ever\b/i, "name the party", "whoever wants it", "a user who wants it"),
  ban(/\bwhatever\b/i, "any", "whatever the order", "in any order"),
  ban(
    /(?:^|[.:;] )(?:what|who|whose)\b(?![^.;]*\?)/i,
    "name the thing",
    "What is known goes first.",
    "What is known? Known facts go first.",
  ),
  ban(
    /\b(?:of|for|from|with|by|than|as|on|in|into|at|about) what\b(?![^.;]*\?)/i,
    "name the thing",
    "the price of what was read",
    "the price of the answer",
  ),
  ban(
    /\bwhat (?:is|was|are|were|has|have|had|cannot|can|must|may|goes|comes|came|remains|follows)\b(?![^.;]*\?)/i,
    "name the thing",
    "it counts what is left",
    "it counts the rest",
  ),
  ban(
    /\b(?:of|for|to|by|with) who\b/i,
    "name the party",
    "for who reads it",
    "for a reader who asks",
  ),
  // Somebody of the everyday language.
  ban(
    /\b(?:nobody|somebody|anybody|everybody)\b/i,
    "name the party",
    "nobody reads it",
    "no client reads it",
  ),
  ban(/\bof (?:theirs|ours|yours)\b/i, "their, our", "a line of ours", "our line"),
  // Idioms that read as translated.
  ban(/\bg(?:o|oes|oing) on\b|\bwent on\b/i, "continue", "traffic goes on", "traffic continues"),
  ban(
    /\b(?:is|are|was|were|has|have|had) gone\b/i,
    "removed, ended",
    "the server has gone",
    "the server ended",
  ),
  ban(/\bfor ever\b/i, "forever", "it waits for ever", "it waits forever"),
  ban(/\bat the (?:least|most)\b/i, "at least, at most", "10 at the most", "at most 10"),
  ban(/\banew\b/i, "again", "to count anew", "to count again"),
  ban(/\bnevertheless\b/i, "anyway, still", "arrives nevertheless", "arrives anyway"),
  ban(/\bbeside\b/i, "next to", "beside the server", "next to the server; besides"),
  ban(/\bmend(?:s|ed|ing)?\b/i, "fix", "none can be mended", "none can be fixed"),
  ban(/\b(?:shall|lest|whence|thereof|ought)\b/i, "plain words", "it shall pass", "it must pass"),
  ban(
    /\bas (?:it|they) (?:came|come|comes)\b/i,
    "unchanged",
    "lines pass as they came",
    "lines pass unchanged",
  ),
  ban(
    /\bd(?:ie|ies|ied) of\b/i,
    "exit because of, be killed by",
    "it dies of EPIPE",
    "EPIPE ends it",
  ),
  ban(
    /\btak(?:e|es|en|ing) (?:it |them )?back\b/i,
    "cancel",
    "a request is taken back",
    "a cancelled request",
  ),
  ban(/\basks? the same\b/i, "identical", "the call that asks the same", "an identical call"),
  ban(
    /\d (?:tokens?|calls?) a (?:call|session|minute|hour|day)\b/i,
    "per",
    "1 call a session",
    "1 call per session",
  ),
  ban(
    /\b(?:held|holds?) \S+ against\b|\bheld against\b/i,
    "compare",
    "a server held against its lock",
    "compared with its lock",
  ),
  ban(
    /\bonce a (?:call|tool|session|run|file)\b/i,
    "once per",
    "reported once a tool",
    "reported once per tool; once a day",
  ),
  ban(
    /\bmakes? no sense\b/i,
    "contradict",
    "these parts make no sense",
    "these parts contradict each other",
  ),
  ban(
    /\bwork(?:s|ed)? off\b/i,
    "count, process",
    "bills are worked off",
    "bills are counted; it works offline",
  ),
  ban(/\bno such tool\b/i, "unknown tool", "there is no such tool", "no such file or directory"),
];

export function bannedIn(path: string, texts: readonly Prose[]): string[] {
  return texts.flatMap(({ line, text }) =>
    bannedWordings.flatMap(({ pattern, write }) => {
      const found = pattern.exec(text);
      if (found === null) return [];
      const from = Math.max(0, found.index - 30);
      const around = text.slice(from, found.index + found[0].length + 30).trim();
      return [`${path}:${line}: "${found[0].trim()}" in "…${around}…"; write: ${write}`];
    }),
  );
}
