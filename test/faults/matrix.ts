export type FaultRow = {
  readonly number: number;
  readonly title: string;
  readonly testedIn: readonly string[];
};

const rows = `
1 | odd, random, one-byte frames → identical both ways | bytes
2 | split UTF-8, BOM, CRLF, U+2028, bad bytes → identical | bytes
3 | no final newline → forwarded | bytes
4 | non-JSON on stdout → passes, counted, one hint | bytes
5 | JSON that is not RPC → passes, unmetered | bytes
6 | batch with one refused element → only that element | budgets
7 | ids big, fractional, of both types, empty → raw id echoed, no cross-match | pairing budgets
8 | null id → forwarded; tools/call as a notification over budget → dropped, recorded | pairing budgets
9 | duplicate ids in flight → first in first out, exact totals | pairing
10 | duplicate, unknown, late answers → forwarded, counted once | pairing
11 | server request with the client's id → separate spaces | pairing
12 | cancellation of running, refused, finished calls → forwarded, no double record | pairing budgets
13 | refusal while the server is in the middle of a line → never inside that line | budgets
14 | refusal while the client is stalled → no deadlock, bounded | budgets
15 | calls never answered, open listen → bounded map, no false alarm | pairing
16 | multi-round trip and tasks → one call, all tokens | pairing budgets
17 | probe sibling → silent | pairing
18 | lines of 10 and 100 MB → forwarded, observation bounded and flagged | hostile
19 | 5 million levels of nesting → forwarded, stall under 250 ms | hostile
20 | tokenizer bombs → forwarded first, other traffic goes on | hostile
21 | hostile names → right counts, no raw control byte anywhere | hostile
22 | 100 000 distinct tool names → bounded, one row for the rest | hostile
23 | list changes and pagination → newest wins | hostile
24 | server never reads → client blocks, memory flat | pressure
25 | client never reads → server blocks, nothing lost | pressure
26 | both write 3 MB before reading → no deadlock | pressure
27 | server exits with 20 MB unread → all bytes, then its code | pressure
28 | crash or signal death with the client idle → same status, calls abandoned | lifecycle
29 | grandchild holds stdout → exit within 2 s | lifecycle
30 | missing, not executable, directory → 127 or 126 | environment
31 | end of the client's input → forwarded within 50 ms | lifecycle
32 | TERM, INT, HUP → once, code kept, summary and log complete | lifecycle
33 | TERM to the group → a server's one-shot handler finishes | lifecycle
34 | server ignores end of input and TERM → no orphan | lifecycle
35 | kill -9 of the meter → server dies, log intact | lifecycle
36 | double INT, TSTP and CONT, USR1 and USR2 | lifecycle
37 | client gone (EPIPE) → server told, exit, no stack trace | lifecycle
38 | half-close either way → propagated within 0.5 s | lifecycle
39 | stdin flood and TERM → within 1 s | lifecycle
40 | burst on stderr → no EAGAIN | environment
41 | .env, bunfig, NODE_OPTIONS in the working directory → environment identical | environment
42 | odd argv → verbatim | environment
43 | working directory, umask, limits → equal or documented | environment
44 | closed descriptors, no HOME, twelve files → works or clear error | environment
45 | log ENOSPC, EFBIG, EIO, EROFS → traffic unaffected, counted, next record clean | log
46 | log is a FIFO, symlink, directory → refused, run continues | log
47 | slow disk → added p99 under 5 ms | log
48 | 8 meters on one log with rotation → every line parses | log
49 | kill -9 in a loop → at most one torn tail each, readers skip it | log
50 | clock jumps → durations monotonic | log
51 | an observer throws → traffic continues, counted | observer
52 | secret canaries → absent from log, summary, report | log
53 | no network: connect() never called unless asked for | log
54 | answers whose id is a text → metered and gated like any other | ceiling
55 | frames behind blanks and members, unreadable lines → recognised, or charged | ceiling
56 | NaN and Infinity in an answer → read like any other | ceiling
57 | result and error, answers that clients reject → the dearer, and never free | ceiling
58 | tasks asked for again, misleading handles and states → the ceiling holds | tasks
59 | numbers that grow when rewritten → within a proven bound | ceiling
60 | requests that cannot be read → the counter of their tool | ceiling
61 | ids over 512 bytes, byte order marks → refused with that id | ceiling
62 | --max-repeats with arguments in another order → the same call | ceiling
63 | shared counters locked, 100 starts at once → waits, then the policy | counters
64 | a window far in the future → moved back, full again after its period | counters
65 | counters file is a pipe, link, directory; unlinked, truncated → policy | counters
66 | 4,000 calls in flight under a day budget → linear; holds of the dead free | counters
67 | --enforce-lock: unseen pages, unread lists, tool 10,001 → refused | enforced-lock
68 | a client that reads nothing leaves → gone within 2 s, no orphan | hang
69 | a named file is a pipe, a device, a folder, a socket → refused at once | hang
70 | limit of a file's size (SIGXFSZ) → traffic goes on, no file half written | hang
71 | stdin is a directory → one sentence | hang
72 | cyclic anchors, 100 000 levels in a named file → one sentence | hang
73 | BUN_… and NODE_OPTIONS → act on the server only, unchanged | runtime
74 | the runtime crashes → no argument of the command line is printed | runtime
75 | answers of 1 MB without end → memory flat, each counted exactly | memory
76 | the server opens /dev/stdin, /dev/stdout again → works; a pipe where ours is one | pipes
77 | a connection that we end is not started again, and leaves no server | connect
78 | hostile names in refusals, to the model too → escaped and bounded | names
79 | --summary-file is a link → neither followed nor replaced; files are private | hang
80 | ended by force → an end, a whole summary, exact counters | forced-end
81 | a stderr that the client does not read → neither traffic nor end waits | stderr
82 | the meter is loaded late, or cannot be → traffic passes, limits hold | start
90 | the command of an alert fails, hangs, floods → one sentence, traffic the same | alerts
91 | hostile names in an alert → in the JSON on stdin, and nowhere else | alerts
92 | the command of an alert never ends → killed with its group, one at a time | alerts
93 | 16 meters on one counter in Redis, four killed → the ceiling at each moment | redis
94 | a Redis that cannot be used → one sentence with its cause, each policy | redis
95 | a Redis that is stopped, killed, flushed → nothing hangs, spending is kept | redis
96 | the password of a Redis → printed and recorded nowhere | redis
97 | a Redis with TLS → its certificate must be trusted | redis
98 | a backend of telemetry refuses, rejects, is silent, never ends → one line, exit bounded | e2e/otlp
99 | a certificate for telemetry is a pipe → the session is not held | e2e/otlp
100 | OTEL_… variables without --otlp → no connection | e2e/otlp
101 | a policy that others may write, that is hostile, cut or large → one line, nothing stops | e2e/policy
102 | the machine's id is a pipe, link, folder → a session without one; empty, text → another id | e2e/machine
103 | serve: any bodies, chunks, codings → identical both ways | transport/http/exchange
104 | serve: 64 MiB, an event over 8 MiB, 251 exchanges → whole, or refused | transport/http/exchange transport/http/reverse-proxy wire/endpoint/event-reader
105 | serve: the server is dead, dies midway → 502, a broken stream | transport/http/exchange
106 | serve: the client leaves, or reads no further → the server's request ends, or waits | transport/http/exchange e2e/serve
107 | serve: foreign hosts and pages → refused, nothing forwarded | transport/http/reverse-proxy
108 | serve: metering fails → answers the same, one line | transport/http/reverse-proxy
109 | serve: keys of headers and URLs → sent, and nowhere else | e2e/serve
110 | serve: signals, an open stream → ends with 0, records whole | e2e/serve
111 | a full disk under records, counters, Redis and telemetry at once → each told, limits hold | full-disk
112 | processes of alerts hang at the end → the end is in time, the last alert is begun | alerts
113 | a Redis forgets under open connections → counters go on from what was known, told | redis
120 | budgets over HTTP: 76 forms of an answer → none exceeds a limit | serve-budgets
121 | budgets over HTTP: honest forms under a wide limit → identical | serve-budgets
122 | budgets over HTTP: answers on other streams, resumed ones → once | serve-budgets
123 | budgets over HTTP: sessions that a server begins again → one limit | serve-budgets
124 | budgets over HTTP: redirects → metered there, or not handed on | serve-budgets
125 | budgets over HTTP: the old HTTP+SSE transport → nothing passes | serve-budgets
126 | budgets over HTTP: bodies without an end → broken off with the client | serve-budgets
127 | budgets over HTTP: sessions of chance, two processes → the ceiling | serve-ceiling
130 | serve: hostile heads of answers → 502, and the next request is answered | serve
131 | serve: hostile bodies of answers → the same bytes, memory bounded | serve
132 | serve: thousands of sessions, long ids → bounded, each one recorded | serve
133 | serve: answers with ids of others → pass, answer nothing | serve
134 | serve: slow, half and garbage requests, pipelining → others are served | serve
135 | serve: records cannot be written → the same answers, one line | serve
140 | --url: answers without an end, bombs, broken streams, pages → one sentence, memory bounded | check/mcp-client/http-transport
141 | --url: redirects to another host → no request, so no header | check/mcp-client/http-transport
142 | --url: a server repeats secrets → in no output, and no lock is written | e2e/url
151 | an unknown client shows whole blocks as JSON, base64 and _meta → the ceiling | unknown-clients
152 | an answer without the id of a request → charged to all that wait, or withheld | serve-requests
153 | long integers, floats, NaN, characters that Python escapes → priced as written, the ceiling | unknown-clients
154 | names in another case, repeated or escaped: Go, C#, first of two → held as an answer | lenient-readers
155 | media whose header understates → priced by frames, rates and size | unknown-clients
156 | lines in UTF-16 and UTF-32, marked or not → pass no limit | lenient-readers
157 | serve: a forbidden call in another charset, coding or type → 415, nothing runs | serve-requests
158 | what is not exactly one valid message → does not reach the server, told why | lenient-readers
159 | serve: pages in a browser, methods of no MCP client → refused, nothing forwarded | serve-pages transport/http/reverse-proxy
160 | serve: floods of any bytes → others wait 50 ms, 20 MB/s, the end within 2 s | serve-floods
161 | a flood waits to be judged → the end within 2 s, nothing judged is lost | floods
162 | serve: an event without an end → broken off at the limit of a body | serve-floods
163 | hostile logs, bombs, answers that are lists of texts → records that can be read, in bounded time | e2e/import-records
170 | a file of counters with views or triggers → nothing runs, told, the policy | tampered-counters
171 | amounts in it that no meter writes → told, the policy, no purse that is full again by itself | tampered-counters
172 | a counter in Redis with what no meter writes → made again from what meters knew, the others are listed | tampered-counters
173 | a Redis that is reached and fails each time → one line, one record | tampered-counters
174 | an answer of Redis that is a list without end → linear, bounded | state/stores/redis/replies
175 | a folder for answers in which another user can replace them → refused, nothing is saved there | second-user
176 | counters in a folder of another user → not used, told, the policy | second-user
177 | umask 0 → all that a session makes is private | second-user
178 | tail and dash: a file that grows as fast as it is read, times that are none → others go on, left out | state/storage/live/followed-file state/storage/live/session-follower
179 | serve, --url: a TLS connection that breaks without its farewell → no cut body is a whole message | tls
180 | a file of another user in the place of the summary → nothing is written into it, told | second-user
181 | import: a folder for temporary files in which other users can replace files → no copy of a log there | state/storage/logs/stable-database
190 | challenges, paths of redirects, odd names, which clients quote → the ceiling | serve-budgets
191 | alerts of a counter that twenty meters share, five of them killed; patterns without a tool → one alert for each threshold | shared-alerts
192 | one developer's loop under budgets per user and of the fleet → the others keep theirs, the ceiling of the fleet holds | fleet state/stores/redis/ceiling
193 | an action that changes, a budget that is added → the counter goes on | fleet
194 | a budget in money: no price, paid tools, withheld calls, kills → 125 at the start, the ceiling in dollars | fleet
195 | serve: users in a header, long, odd and missing ones, one session id for all → each their own counters | fleet
196 | the example policy in 50 sessions of 5 servers → an alert only where a limit was met | e2e/policy
197 | a budget of the fleet nearly spent → a call that would be withheld is refused before it runs | fleet
198 | a Redis that answers late → --counter-timeout decides, then the policy | fleet
`;

export const matrix: readonly FaultRow[] = rows
  .trim()
  .split("\n")
  .map((line) => {
    const [number = "", title = "", files = ""] = line.split(" | ");
    return { number: Number(number), title, testedIn: files.split(" ") };
  });
