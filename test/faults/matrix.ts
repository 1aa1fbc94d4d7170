/** One row of the fault matrix: tested here by its number, or listed with the reason why not. */
export type FaultRow = {
  readonly number: number;
  readonly title: string;
  /** Files of this folder whose tests carry the number in their names. */
  readonly testedIn: readonly string[];
  /** Why a row has no test of its own here, and what stands in for it. */
  readonly reason?: string;
};

const waitsForBudgets = "budgets.test.ts arrives with the budgets it tests";

const row = (number: number, title: string, ...testedIn: readonly string[]): FaultRow => ({
  number,
  title,
  testedIn,
});

export const matrix: readonly FaultRow[] = [
  row(1, "odd, random, one-byte frames → identical both ways", "bytes"),
  row(2, "split UTF-8, BOM, CRLF, U+2028, bad bytes → identical", "bytes"),
  row(3, "no final newline → forwarded", "bytes"),
  row(4, "non-JSON on stdout → passes, counted, one hint", "bytes"),
  row(5, "JSON that is not RPC → passes, unmetered", "bytes"),
  {
    ...row(6, "batch with one refused element → only that element", "budgets"),
    reason: waitsForBudgets,
  },
  row(
    7,
    "ids big, fractional, of both types, empty → raw id echoed, no cross-match",
    "pairing",
    "budgets",
  ),
  row(
    8,
    "null id → forwarded; tools/call as a notification over budget → dropped, recorded",
    "pairing",
    "budgets",
  ),
  row(9, "duplicate ids in flight → first in first out, exact totals", "pairing"),
  row(10, "duplicate, unknown, late answers → forwarded, counted once", "pairing"),
  row(11, "server request with the client's id → separate spaces", "pairing"),
  row(
    12,
    "cancellation of running, refused, finished calls → forwarded, no double record",
    "pairing",
    "budgets",
  ),
  {
    ...row(13, "refusal while the server is in the middle of a line → after that line", "budgets"),
    reason: waitsForBudgets,
  },
  {
    ...row(14, "refusal while the client is stalled → no deadlock, bounded", "budgets"),
    reason: waitsForBudgets,
  },
  row(15, "calls never answered, open listen → bounded map, no false alarm", "pairing"),
  row(16, "multi-round trip and tasks → one call, all tokens", "pairing", "budgets"),
  row(17, "probe sibling → silent", "pairing"),
  row(18, "lines of 10 and 100 MB → forwarded, observation bounded and flagged", "hostile"),
  row(19, "5 million levels of nesting → forwarded, stall under 250 ms", "hostile"),
  row(20, "tokenizer bombs → forwarded first, other traffic goes on", "hostile"),
  row(21, "hostile names → right counts, no raw control byte anywhere", "hostile"),
  row(22, "100 000 distinct tool names → bounded, one row for the rest", "hostile"),
  row(23, "list changes and pagination → newest wins", "hostile"),
  row(24, "server never reads → client blocks, memory flat", "pressure"),
  row(25, "client never reads → server blocks, nothing lost", "pressure"),
  row(26, "both write 3 MB before reading → no deadlock", "pressure"),
  row(27, "server exits with 20 MB unread → all bytes, then its code", "pressure"),
  row(28, "crash or signal death with the client idle → same status, calls abandoned", "lifecycle"),
  row(29, "grandchild holds stdout → exit within 2 s", "lifecycle"),
  row(30, "missing, not executable, directory → 127 or 126", "environment"),
  row(31, "end of the client's input → forwarded within 50 ms", "lifecycle"),
  row(32, "TERM, INT, HUP → once, code kept, summary and log complete", "lifecycle"),
  row(33, "TERM to the group → a server's one-shot handler finishes", "lifecycle"),
  row(34, "server ignores end of input and TERM → no orphan", "lifecycle"),
  row(35, "kill -9 of the meter → server dies, log intact", "lifecycle"),
  row(36, "double INT, TSTP and CONT, USR1 and USR2", "lifecycle"),
  row(37, "client gone (EPIPE) → server told, exit, no stack trace", "lifecycle"),
  row(38, "half-close either way → propagated within 0.5 s", "lifecycle"),
  row(39, "stdin flood and TERM → within 1 s", "lifecycle"),
  row(40, "burst on stderr → no EAGAIN", "environment"),
  row(
    41,
    ".env, bunfig, NODE_OPTIONS in the working directory → environment identical",
    "environment",
  ),
  row(42, "odd argv → verbatim", "environment"),
  row(43, "working directory, umask, limits → equal or documented", "environment"),
  row(44, "closed descriptors, no HOME, twelve files → works or clear error", "environment"),
  row(45, "log ENOSPC, EFBIG, EIO, EROFS → traffic unaffected, counted, next record clean", "log"),
  row(46, "log is a FIFO, symlink, directory → refused, run continues", "log"),
  row(47, "slow disk → added p99 under 5 ms", "log"),
  row(48, "8 meters on one log with rotation → every line parses", "log"),
  row(49, "kill -9 in a loop → at most one torn tail each, readers skip it", "log"),
  row(50, "clock jumps → durations monotonic", "log"),
  row(51, "an observer throws → traffic continues, counted", "observer"),
  row(52, "secret canaries → absent from log, summary, report", "log"),
  row(53, "no network: connect() never called unless asked for", "log"),
  row(54, "answers whose id is a text → metered and gated like any other", "ceiling"),
  row(55, "frames behind blanks and members, unreadable lines → recognised, or charged", "ceiling"),
  row(56, "NaN and Infinity in an answer → read like any other", "ceiling"),
  row(57, "result and error, answers that clients reject → the dearer, and never free", "ceiling"),
  row(58, "tasks asked for again, misleading handles and states → the ceiling holds", "tasks"),
  row(59, "numbers that grow when rewritten → within a proven bound", "ceiling"),
  row(60, "requests that cannot be read → the counter of their tool", "ceiling"),
  row(61, "ids over 512 bytes, byte order marks → refused with that id", "ceiling"),
  row(62, "--max-repeats with arguments in another order → the same call", "ceiling"),
  row(63, "shared counters locked, 100 starts at once → waits, then the policy", "counters"),
  row(64, "a window far in the future → moved back, full again after its period", "counters"),
  row(65, "counters file is a pipe, link, directory; unlinked, truncated → policy", "counters"),
  row(66, "4,000 calls in flight under a day budget → linear; holds of the dead free", "counters"),
  row(67, "--enforce-lock: unseen pages, unread lists, tool 10,001 → refused", "enforced-lock"),
  row(69, "a named file is a pipe, a device, a folder, a socket → refused at once", "hang"),
  row(70, "limit of a file's size (SIGXFSZ) → traffic goes on, no file half written", "hang"),
  row(71, "stdin is a directory → one sentence", "hang"),
  row(72, "cyclic anchors, 100 000 levels in a named file → one sentence", "hang"),
  row(73, "BUN_… and NODE_OPTIONS → act on the server only, unchanged", "runtime"),
  row(74, "the runtime crashes → no argument of the command line is printed", "runtime"),
  row(75, "answers of 1 MB without end → memory flat, each counted exactly", "memory"),
  row(78, "hostile names in refusals, to the model too → escaped and bounded", "names"),
  row(79, "--summary-file is a link → neither followed nor replaced; files are private", "hang"),
];
