import { Button, Group, Table, Text } from '@mantine/core';
import { IconFilterOff, IconWebhook } from '@service/icons';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { formatCount, formatMilliseconds, formatPercent, formatPlural } from '../../format.ts';
import { createSorting } from '../../sorting.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { HealthBadge } from '../source/health-badge.tsx';
import { PausedList } from '../source/paused-list.tsx';
import { SourceLink } from '../source/source-link.tsx';
import styles from '../source/source-name.module.css';
import { kindWords } from '../source/source.ts';
import { endpointsMax, useEndpoints, type EndpointSource } from '../source/use-sources.ts';
import { firstOrder, sortEndpoints, type WebhooksSearch } from './search.ts';

interface EndpointsSectionProps {
  search: WebhooksSearch;
  show: (change: WebhooksSearch) => void;
}

/** The endpoints of the workspace. Those in trouble are first until a column sorts them. */
export function EndpointsSection({ search, show }: EndpointsSectionProps) {
  const { kind, state, q, sort, order } = search;
  const { data: endpoints, error, refetch } = useEndpoints();
  if (error && !endpoints) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (endpoints?.length === 0) return <NoEndpoints />;
  const matching = endpoints?.filter((endpoint) => isMatch(endpoint, { kind, state, q }));
  const shown = matching && sort ? sortEndpoints(matching, sort, order) : matching;
  const column = createSorting({ search: { sort, order }, first: firstOrder, show });
  return (
    <>
      <PausedList sources={endpoints?.filter(isPaused) ?? []} />
      <EndpointFilters search={{ kind, state, q }} show={show} />
      <Group justify="flex-end" mb={6}>
        <ShowApiCall call={{ operation: 'GET /webhook-endpoints', params: {} }} of="Endpoints" />
        <ExportLink list="endpoints" of="All endpoints" />
      </Group>
      {shown?.length === 0 ? (
        <EmptyState
          icon={IconFilterOff}
          title="No endpoints match these filters"
          action={
            <Button onClick={() => show({ kind: undefined, state: undefined, q: undefined })}>
              Clear filters
            </Button>
          }
        >
          The endpoints of all webinars were searched.
        </EmptyState>
      ) : (
        <TableCard
          name="Endpoints"
          columns={[
            column('name', 'Endpoint'),
            'Health',
            'Webinar',
            column('waiting', 'Waiting'),
            column('oldest', 'Oldest waiting'),
            column('success', 'Success, 24 h'),
            'p50 / p95',
          ]}
          minWidth={940}
          rows={shown}
          renderRow={(endpoint) => <EndpointRow key={endpoint.id} endpoint={endpoint} />}
          total={shown && totalText(shown.length, endpoints?.length ?? 0)}
        />
      )}
    </>
  );
}

const isPaused = ({ isEnabled, health }: EndpointSource): boolean => isEnabled && health.status === 'paused';

function isMatch(
  { kind, isEnabled, health, name, url, webinarTitle }: EndpointSource,
  wanted: Pick<WebhooksSearch, 'kind' | 'state' | 'q'>,
): boolean {
  if (wanted.kind !== undefined && wanted.kind !== kind) return false;
  if (wanted.state === 'off' && isEnabled) return false;
  if (wanted.state === 'trouble' && (!isEnabled || health.failuresInARow === 0)) return false;
  return `${name} ${url} ${webinarTitle}`.toLowerCase().includes((wanted.q ?? '').toLowerCase());
}

const totalText = (shown: number, all: number): string =>
  all >= endpointsMax
    ? `${formatPlural(shown, 'endpoint')} of the newest ${formatCount(endpointsMax)}`
    : formatPlural(shown, 'endpoint');

function NoEndpoints() {
  return (
    <EmptyState
      icon={IconWebhook}
      title="No endpoints yet"
      steps={[
        'Open a webinar.',
        'Under Automations, create a rule: it sends one kind of event, with conditions.',
        'Under Webhooks, create a subscription: it sends every event of its types.',
      ]}
      action={
        <Button renderRoot={(props) => <WorkspaceLink to="/w/$workspaceId/webinars" {...props} />}>
          Open webinars
        </Button>
      }
    >
      An endpoint is a URL of yours that receives signed webhooks.
    </EmptyState>
  );
}

type Filters = Pick<WebhooksSearch, 'kind' | 'state' | 'q'>;

interface EndpointFiltersProps {
  search: Filters;
  show: (change: Filters) => void;
}

const kinds = [
  { value: 'rule', label: 'Rules' },
  { value: 'webhook', label: 'Subscriptions' },
] as const;

const states = [
  { value: 'trouble', label: 'In trouble' },
  { value: 'off', label: 'Off' },
] as const;

function EndpointFilters({ search, show }: EndpointFiltersProps) {
  return (
    <FilterBar>
      <SearchFilter label="Name or URL" value={search.q} onChange={(q) => show({ q })} />
      <ChoiceFilter label="Kind" choices={kinds} value={search.kind} onChange={(kind) => show({ kind })} />
      <ChoiceFilter
        label="State"
        choices={states}
        value={search.state}
        onChange={(state) => show({ state })}
      />
    </FilterBar>
  );
}

/** The count of waiting deliveries ends here. */
const waitingMax = 10_000;

function EndpointRow({ endpoint }: { endpoint: EndpointSource }) {
  const { kind, url, webinarId, webinarTitle, isEnabled, isHalted, health } = endpoint;
  const { waiting, oldestWaitingAt, successRate, p50Ms, p95Ms } = endpoint;
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <SourceLink source={endpoint} className={styles['name']} />
        <Text size="xs" c="dimmed" truncate title={url}>
          {`${kindWords[kind]} · ${url}`}
        </Text>
      </Table.Td>
      <Table.Td>
        {isEnabled ? (
          <HealthBadge health={health} isHalted={isHalted} waiting={waiting} />
        ) : (
          <Status tone="quiet" isHollow word="Off" />
        )}
      </Table.Td>
      <Table.Td maw={180}>
        <Text inherit truncate title={webinarTitle}>
          <WorkspaceLink
            to={
              kind === 'rule'
                ? '/w/$workspaceId/webinars/$webinarId/automations'
                : '/w/$workspaceId/webinars/$webinarId/webhooks'
            }
            params={{ webinarId }}
          >
            {webinarTitle}
          </WorkspaceLink>
        </Text>
      </Table.Td>
      <Table.Td>
        {waiting === 0 ? null : `${formatCount(waiting)}${waiting >= waitingMax ? '+' : ''}`}
      </Table.Td>
      <Table.Td>{oldestWaitingAt === null ? null : <RelativeTime at={oldestWaitingAt} />}</Table.Td>
      <Table.Td>
        {successRate === null ? (
          <Text inherit c="dimmed">
            No tries
          </Text>
        ) : (
          formatPercent(successRate)
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {p50Ms === null || p95Ms === null
          ? null
          : `${formatMilliseconds(p50Ms)} / ${formatMilliseconds(p95Ms)}`}
      </Table.Td>
    </Table.Tr>
  );
}
