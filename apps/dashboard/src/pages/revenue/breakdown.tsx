import { Button, SegmentedControl, Table, Text } from '@mantine/core';
import { breakdowns, type Breakdown as By } from '@service/catalogue';
import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Section } from '../../components/section.tsx';
import { AmountCell, AmountHead, CutText, TableCard } from '../../components/table-card.tsx';
import { formatCount, formatPlural } from '../../format.ts';
import type { RevenueGroup } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { breakdownTexts, levelTexts, sourceText } from './revenue-texts.ts';
import styles from './revenue.module.css';
import type { RevenueSearch } from './search.ts';
import type { SearchProps } from './time-filters.tsx';
import { useReport, useReportInput } from './use-revenue.ts';

interface BreakdownProps extends SearchProps {
  currency: string;
}

const byOptions = breakdowns.map((value) => ({ value, label: breakdownTexts[value] }));

/** The sums of one currency by webinar, offer, level, UTM source or source, the highest net first. */
export function Breakdown({ currency, search, show }: BreakdownProps) {
  const by = search.by ?? 'webinar';
  const query = useReportInput(search, { by, currency });
  return (
    <Section
      title={`By ${breakdownTexts[by].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`}
      text={`Sums in ${currency}, the highest net first.`}
      apiCall={{
        operation: 'GET /revenue/summary',
        params: {},
        query,
      }}
    >
      <SegmentedControl
        className={styles['by']}
        aria-label="Group by"
        size="xs"
        data={byOptions}
        value={by}
        onChange={(next) => show({ by: next === 'webinar' ? undefined : next })}
      />
      {/* The sums of another currency or field are no placeholder. */}
      <GroupTable key={`${by} ${currency}`} by={by} currency={currency} search={search} show={show} />
    </Section>
  );
}

interface GroupTableProps extends BreakdownProps {
  by: By;
}

const shownAtFirst = 20;

function GroupTable({ by, currency, search, show }: GroupTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const { data, error, refetch } = useReport(search, { by, currency });
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  const groups = data?.groups.toSorted((one, other) => other.netMinor - one.netMinor);
  const shown = isWhole ? groups : groups?.slice(0, shownAtFirst);
  const hidden = (groups?.length ?? 0) - (shown?.length ?? 0);
  return (
    <>
      <TableCard
        name={`Revenue by ${breakdownTexts[by]}`}
        columns={[breakdownTexts[by], ...sumColumns, ...(by === 'webinar' ? peopleColumns : [])]}
        minWidth={by === 'webinar' ? 900 : 720}
      >
        {shown?.map((group) => (
          <Table.Tr key={group.key ?? ''}>
            <Table.Td maw={300}>
              <CutText text={nameOf(group, by)}>
                <GroupLink group={group} by={by} search={search} show={show} />
              </CutText>
            </Table.Td>
            {amounts.map((name) => (
              <AmountCell key={name} minor={group[name]} currency={currency} />
            ))}
            <Table.Td className={styles['count']}>{formatCount(group.purchases)}</Table.Td>
            {by === 'webinar'
              ? averages.map((name) => <AmountCell key={name} minor={group[name]} currency={currency} />)
              : null}
          </Table.Tr>
        ))}
      </TableCard>
      {data?.hasMoreGroups && hidden === 0 ? (
        <Text size="xs" c="dimmed" mt={6}>
          Only the {formatCount(groups?.length ?? 0)} largest rows are listed.
        </Text>
      ) : null}
      {hidden > 0 ? (
        <Button variant="default" mt="sm" onClick={() => setIsWhole(true)}>
          Show {formatPlural(hidden, 'more row')}
        </Button>
      ) : null}
    </>
  );
}

const amounts = ['netMinor', 'grossMinor', 'refundsMinor', 'chargebacksMinor'] as const;

const averages = ['perRegistrantMinor', 'perAttendeeMinor'] as const;

const heads = (names: readonly string[]): readonly ReactNode[] =>
  names.map((name) => <AmountHead key={name}>{name}</AmountHead>);

const sumColumns = heads(['Net', 'Gross', 'Refunds', 'Chargebacks', 'Purchases']);
const peopleColumns = heads(['Per registrant', 'Per attendee']);

/** A group without a key has the events without a credit. */
function nameOf({ key, title }: RevenueGroup, by: By): string {
  if (by === 'level') return levelTexts[(key ?? 'unattributed') as keyof typeof levelTexts];
  if (by === 'source') return sourceText(key ?? '');
  if (key === null) return noneTexts[by];
  return title ?? (by === 'utmSource' ? key : `Deleted (…${key.slice(-6)})`);
}

const noneTexts = {
  webinar: 'Not credited to a webinar',
  offer: 'No offer was clicked',
  utmSource: 'No UTM source',
};

interface GroupLinkProps extends SearchProps {
  group: RevenueGroup;
  by: By;
}

/** The events of a group, where the list has such a filter. */
function GroupLink({ group, by, search }: GroupLinkProps) {
  const name = nameOf(group, by);
  const filter = filterOf(group, by, search);
  if (!filter) return name;
  return (
    <WorkspaceLink to="/w/$workspaceId/revenue" search={{ ...search, ...filter }}>
      {name}
    </WorkspaceLink>
  );
}

function filterOf({ key }: RevenueGroup, by: By, { webinar }: RevenueSearch): RevenueSearch | undefined {
  if (by === 'source' && key) return { tab: 'events', source: key };
  if (by === 'level') return key === 'unattributed' ? { tab: 'unattributed' } : undefined;
  if (key === null) return by === 'webinar' ? { tab: 'unattributed' } : undefined;
  if (by === 'webinar') return { tab: 'events', webinar: key };
  return by === 'offer' && webinar !== undefined ? { tab: 'events', offer: key } : undefined;
}
