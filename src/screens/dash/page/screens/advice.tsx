import type { AdviceRow, AdviceView } from "../../view.ts";
import { formatAddress, hasEstimates, openScreen } from "../address.ts";
import { escapeText, formatSmallShare } from "../format.ts";
import { Command, EmptyState } from "../parts/copy.tsx";
import { Figures, Heading, Name, Tokens } from "../parts/text.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

export function Advice({ view }: { view: AdviceView }) {
  const { saved_tokens: saved, context_tokens: all } = view.head;
  const rows = Object.entries(view.tables.advice).toSorted(([, a], [, b]) => a.rank - b.rank);
  const together = {
    label: "together",
    value: <Tokens count={saved} isEstimated={hasEstimates(view.head)} isShort />,
    note: pageSentences.saving(formatSmallShare(saved / Math.max(1, all))),
    isMain: true,
  };
  return (
    <>
      <Heading>Advice</Heading>
      {rows.length === 0 ? (
        <EmptyState sentence={pageSentences.noAdvice} advice={pageSentences.noAdviceReason} />
      ) : (
        <>
          <Figures figures={[together]} />
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
  const { label, title, members, change, commands } = row;
  return (
    <li>
      <p class="advice-label">{label}</p>
      <div>
        {title !== null && <h2>{title}</h2>}
        {members.map((member) => (
          <Member key={`${member.server}\n${member.tool}`} {...member} />
        ))}
        <p class="advice-change">{escapeText(change)}</p>
        {commands.map((command) => (
          <Command key={command} line={command} />
        ))}
      </div>
    </li>
  );
}

function Member({ server, tool, amount, reason }: AdviceRow["members"][number]) {
  const target =
    tool === null
      ? openScreen(choice.value, "definitions", { server })
      : openScreen(choice.value, "tool", { server, tool });
  return (
    <p>
      <a href={formatAddress(target)}>
        <Name text={tool === null ? server : `${server} · ${tool}`} />
      </a>
      : {escapeText(reason)}
      {amount !== null && `, ${amount}`}
    </p>
  );
}
