import { Anchor, Table } from '@mantine/core';
import { Part } from '../../components/part.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TableCard } from '../../components/table-card.tsx';
import type { RevenueEventDetails } from '../../trpc.ts';
import { AmountCell, AmountHead } from '../../components/amount-cells.tsx';
import { typeTexts } from './revenue-texts.ts';

interface PaymentEventsProps {
  event: RevenueEventDetails;
  onShow: (eventId: string) => void;
}

/** The purchase with its refunds and chargebacks, oldest first. */
export function PaymentEvents({ event, onShow }: PaymentEventsProps) {
  const events = event.payment?.events ?? [];
  if (events.length < 2) return null;
  return (
    <Part title="Events of this payment">
      <TableCard
        name="Events of this payment"
        columns={['Type', <AmountHead key="amount">Amount</AmountHead>, 'Time']}
        minWidth={320}
      >
        {events.map(({ id, type, amountMinor, occurredAt }) => (
          <Table.Tr key={id}>
            <Table.Td>
              {id === event.id ? (
                `${typeTexts[type]} (this one)`
              ) : (
                <Anchor component="button" type="button" inherit onClick={() => onShow(id)}>
                  {typeTexts[type]}
                </Anchor>
              )}
            </Table.Td>
            <AmountCell minor={amountMinor} currency={event.currency} />
            <Table.Td>
              <RelativeTime at={occurredAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </TableCard>
    </Part>
  );
}
