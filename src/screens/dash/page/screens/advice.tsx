import { formatSmallShare } from "#kit/text/numbers.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { mayHaveEstimates, type AdviceRow, type AdviceView } from "../../view.ts";
import { Command, EmptyState } from "../parts/commands.tsx";
import { Figures, Heading, NameLink, Tokens } from "../parts/elements.tsx";
import { pageSentences } from "../sentences.ts";

export function Advice({ view }: { view: AdviceView }) {
  const { saved_tokens: saved, context_tokens: all } = view.head;
  const rows = Object.entries(view.tables.advice).toSorted(([, a], [, b]) => a.rank - b.rank);
  const savings = {
    label: "possible savings",
    value: <Tokens count={saved} isEstimated={mayHaveEstimates(view.head)} isShort />,
    note: pageSentences.savingsNote(formatSmallShare(saved / Math.max(1, all))),
    isMain: true,
  };
  return (
    <>
      <Heading>Advice</Heading>
      {rows.length === 0 ? (
        <EmptyState
          sentence={pageSentences.noAdvice}
          advice={pageSentences.noAdviceReason}
          commands={["mcp-meter import"]}
        />
      ) : (
        <>
          {saved > 0 && <Figures figures={[savings]} />}
          <ol class="advice">
            {rows.map(([kind, row]) => (
              <AdviceItem key={kind} row={row} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function AdviceItem({ row }: { row: AdviceRow }) {
  const { label, sentence, members, change, commands } = row;
  return (
    <li>
      <p class="advice-label">{label}</p>
      <div>
        <p class="advice-sentence">{escapeUnsafe(sentence)}</p>
        <ul class="legend">
          {members.map(({ server, tool, amount }) => (
            <li key={`${server}\n${tool}`}>
              <NameLink
                server={server}
                tool={tool}
                text={tool === null ? server : `${server} · ${tool}`}
                charactersMax={36}
                narrowMax={36}
              />
              {amount}
            </li>
          ))}
        </ul>
        <p class="advice-change">{escapeUnsafe(change)}</p>
        {commands.map((command) => (
          <Command key={command} line={command} />
        ))}
      </div>
    </li>
  );
}
