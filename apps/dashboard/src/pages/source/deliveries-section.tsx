import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Section } from '../../components/section.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { NoDeliveries } from './deliveries-empty.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { offReasonOf, type Source } from './source.ts';
import { useSourceDeliveries } from './use-source-deliveries.ts';
import { useSourceSearch } from './use-source-search.ts';

const columns = [
  'Status',
  'Event',
  'Response',
  'Attempts',
  'Created',
  'Next attempt',
  <ActionsHead key="actions" />,
];

const widths = [124, undefined, 170, 92, 120, 120, 52];

export function DeliveriesSection({ source }: { source: Source | undefined }) {
  const { ref, search, show } = useSourceSearch();
  const deliveries = useSourceDeliveries(ref, { status: search.status, eventType: search.event });
  const { items, error } = deliveries;
  return (
    <Section title="Deliveries" text="Newest first. Open a delivery to see its payload and the responses.">
      <DeliveryFilters source={source} />
      {error && !items ? <FailureNotice error={error} onRetry={() => void deliveries.refetch()} /> : null}
      {items?.length === 0 ? <NoDeliveries hasMore={deliveries.hasNextPage} /> : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="Deliveries" columns={columns} minWidth={760} widths={widths}>
          {items?.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              webinarId={ref.webinarId}
              delivery={delivery}
              offReason={source && offReasonOf(source)}
              onOpen={(id) => show({ delivery: id })}
            />
          ))}
        </TableCard>
      )}
      <LoadMore {...deliveries} />
    </Section>
  );
}
