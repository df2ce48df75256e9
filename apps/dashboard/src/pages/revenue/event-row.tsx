import { Table, Text } from '@mantine/core';
import { OpenButton, OpenRow } from '../../components/open-row.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { AmountCell, CutText } from '../../components/table-card.tsx';
import { formatMoney } from '../../money.ts';
import type { RevenueEvent } from '../../trpc.ts';
import { levelTexts, reasonText, sourceText, stateStyles, typeTexts } from './revenue-texts.ts';

export function EventRow({ event, onOpen }: { event: RevenueEvent; onOpen: () => void }) {
  const { type, amountMinor, countedMinor, currency, email, source, state, credit } = event;
  return (
    <OpenRow>
      <Table.Td>
        <OpenButton onClick={onOpen}>{typeTexts[type]}</OpenButton>
        {countedMinor === amountMinor ? null : (
          <Text size="xs" c="dimmed">
            Counts {formatMoney(countedMinor, currency)}
          </Text>
        )}
      </Table.Td>
      <AmountCell minor={amountMinor} currency={currency} />
      <Table.Td maw={240}>
        <CreditText credit={credit} />
      </Table.Td>
      <Table.Td maw={220}>
        <Text inherit truncate title={email ?? undefined} c={email === null ? 'dimmed' : undefined}>
          {email ?? 'Not given'}
        </Text>
      </Table.Td>
      <Table.Td>{sourceText(source)}</Table.Td>
      <Table.Td>
        {state === null ? (
          <Text inherit c="dimmed">
            Unpaired
          </Text>
        ) : (
          <Status {...stateStyles[state]} />
        )}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={event.occurredAt} />
      </Table.Td>
    </OpenRow>
  );
}

function CreditText({ credit }: Pick<RevenueEvent, 'credit'>) {
  const { level, webinarTitle, interactionName, reason } = credit;
  if (level === 'unattributed') {
    return (
      <Text inherit c="dimmed">
        {reasonText(reason)}
      </Text>
    );
  }
  return (
    <>
      <CutText text={webinarTitle ?? undefined}>{webinarTitle ?? 'A deleted webinar'}</CutText>
      <Text size="xs" c="dimmed" truncate title={interactionName ?? undefined}>
        {interactionName === null ? levelTexts[level] : `${levelTexts[level]}: ${interactionName}`}
      </Text>
    </>
  );
}
