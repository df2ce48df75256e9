import { Button, Group } from '@mantine/core';
import { IconReceipt2, IconReportMoney } from '@service/icons';
import { EmptyState } from '../../components/empty-state.tsx';
import { WorkspaceLink } from '../../workspace.ts';
import { filtersOf, isFiltered, noFilters, ranges } from './filters.ts';
import type { SearchProps } from './time-filters.tsx';

/** The first steps, while no event has arrived. */
export function RevenueEmpty() {
  return (
    <EmptyState
      icon={IconReceipt2}
      title="See which webinar sells"
      steps={[
        'Connect a source in the revenue settings: Stripe, or your own shop with a signed request.',
        'Send a test event there. It appears here at once, with an amount of 0.',
        'Each purchase is credited to the offer, session or registration that came before it, with the reason.',
      ]}
      action={
        <Button renderRoot={(props) => <WorkspaceLink to="/w/$workspaceId/settings/revenue" {...props} />}>
          Connect a source
        </Button>
      }
    >
      Purchases, refunds and chargebacks arrive as signed webhooks of your shop or payment provider.
    </EmptyState>
  );
}

/** The time of the overview has no events. */
export const NothingSold = ({ search, show }: SearchProps) => (
  <EmptyState
    icon={IconReportMoney}
    title="No events in this time"
    action={<FilterActions search={filtersOf(search)} show={show} />}
  >
    Events count on the day of their payment, in the time zone of the workspace.
  </EmptyState>
);

/** The ways out of an empty list. */
export function FilterActions({ search, show }: SearchProps) {
  const widest = search.tab === undefined ? 'last_365_days' : 'all_time';
  return (
    <Group gap="xs" justify="center">
      {isFiltered(search) ? <Button onClick={() => show(noFilters)}>Clear filters</Button> : null}
      {search.range === widest ? null : (
        <Button variant="default" onClick={() => show({ range: widest, from: undefined, to: undefined })}>
          Show {ranges[widest].text.toLowerCase()}
        </Button>
      )}
    </Group>
  );
}
