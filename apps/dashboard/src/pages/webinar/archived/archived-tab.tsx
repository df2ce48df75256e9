import { Drawer, Group, Table } from '@mantine/core';
import { IconClick } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Facts } from '../../../components/facts.tsx';
import { ListResult } from '../../../components/load-more.tsx';
import { OpenButton, OpenRow } from '../../../components/open-row.tsx';
import { Section } from '../../../components/section.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { formatCount } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import { useTRPC, type Interaction, type Registration } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { totals, useReport } from '../../revenue/use-revenue.ts';
import { InteractionResults } from '../interactions/interaction-results.tsx';
import { responseText, typeLooks } from '../interactions/interaction-texts.ts';
import { useInteractions, useResponseCounts } from '../interactions/use-interactions.ts';
import { useWebinarId } from '../use-webinar.ts';

/** The numbers of an archived webinar. Nothing on it can be changed. */
export const ArchivedTab = () => (
  <>
    <Section title="People and revenue" text="Purchases are those of the last 365 days.">
      <Numbers />
    </Section>
    <Section title="Interactions" text="Views and responses over all sessions.">
      <Responses />
    </Section>
  </>
);

function Numbers() {
  const webinarId = useWebinarId();
  const report = useReport({ webinar: webinarId, range: 'last_365_days' }, totals);
  const all = useCountText();
  const attended = useCountText('attended');
  const absent = useCountText('no_show');
  const cancelled = useCountText('cancelled');
  const toRevenue = (
    <WorkspaceLink
      to="/w/$workspaceId/revenue"
      search={{ tab: 'events', webinar: webinarId, range: 'all_time' }}
    >
      Show all purchases
    </WorkspaceLink>
  );
  const nets = report.data?.totals.map(({ netMinor, currency }) => formatMoney(netMinor, currency));
  return (
    <Facts
      facts={[
        ['Registrations', all],
        ['Attended', attended],
        ['No-shows', absent],
        ['Cancelled', cancelled],
        [
          'Net revenue',
          <Group key="revenue" gap="sm">
            {report.error ? 'Not loaded' : (nets?.join(', ') ?? '…') || 'None'}
            {toRevenue}
          </Group>,
        ],
      ]}
    />
  );
}

/** "12", or "More than 10,000". All registrations without a status. */
function useCountText(status?: Registration['status']): string {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const { data, error } = useQuery(
    trpc.registrations.count.queryOptions({ webinarId, ...(status && { status }) }),
  );
  if (!data) return error ? 'Not loaded' : '…';
  const { total, isMore } = data.data;
  return isMore ? `More than ${formatCount(total)}` : formatCount(total);
}

/** The interactions with their counts. Each opens its responses. */
function Responses() {
  const { data, error, refetch } = useInteractions();
  const counts = useResponseCounts();
  const [opened, setOpened] = useState<Interaction>();
  return (
    <ListResult
      items={data}
      error={error}
      refetch={refetch}
      empty={
        <EmptyState icon={IconClick} title="No interactions">
          This webinar had no offers, CTAs, polls or handouts.
        </EmptyState>
      }
    >
      <TableCard
        name="Interactions"
        columns={['Name', 'Type', 'Seen by', 'Responses']}
        minWidth={480}
        rows={data}
        renderRow={(interaction) => {
          const count = counts.get(interaction.id);
          return (
            <OpenRow key={interaction.id}>
              <Table.Td maw={280}>
                <OpenButton onClick={() => setOpened(interaction)}>{interaction.internalName}</OpenButton>
              </Table.Td>
              <Table.Td>{typeLooks[interaction.type].word}</Table.Td>
              <Table.Td>{count ? formatCount(count.views) : null}</Table.Td>
              <Table.Td>{count ? responseText(interaction, count) : null}</Table.Td>
            </OpenRow>
          );
        }}
      />
      <Drawer opened={opened !== undefined} onClose={() => setOpened(undefined)} title={opened?.internalName}>
        {opened ? <InteractionResults interaction={opened} /> : null}
      </Drawer>
    </ListResult>
  );
}
