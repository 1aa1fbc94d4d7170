import type { AdviceRow, AdviceView } from "../../view.ts";
import { formatAddress, openScreen } from "../address.ts";
import { escapeText } from "../format.ts";
import { Command, EmptyState } from "../parts/copy.tsx";
import { Heading, Name } from "../parts/text.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

export function Advice({ view }: { view: AdviceView }) {
  const rows = Object.entries(view.tables.advice).toSorted(([, a], [, b]) => a.rank - b.rank);
  return (
    <>
      <Heading>Advice</Heading>
      {rows.length === 0 ? (
        <EmptyState sentence={pageSentences.noAdvice} advice={pageSentences.noAdviceReason} />
      ) : (
        <>
          <p class="facts">{pageSentences.advice}</p>
          <ol class="advice">
            {rows.map(([key, row]) => (
              <AdviceItem key={key} row={row} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function AdviceItem({ row }: { row: AdviceRow }) {
  const { label, server, tool, reason, change, command } = row;
  const target =
    tool === null
      ? openScreen(choice.value, "definitions", { server })
      : openScreen(choice.value, "tool", { server, tool });
  return (
    <li>
      <p class="advice-label">{label}</p>
      <div>
        <h2>
          <a href={formatAddress(target)}>
            <Name text={tool === null ? server : `${server} · ${tool}`} />
          </a>
        </h2>
        <p>{escapeText(reason)}</p>
        <p class="advice-change">{escapeText(change)}</p>
        {command !== null && <Command line={command} />}
      </div>
    </li>
  );
}
