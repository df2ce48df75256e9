import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../components/empty-state.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { IconFilterOff, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatCount, formatPlural } from '../../format.ts';
import { createSorting } from '../../sorting.ts';
import { useWorkspace } from '../../workspace.ts';
import { PausedList } from '../source/paused-list.tsx';
import { endpointsMax, useEndpoints, type EndpointSource } from '../source/use-endpoints.ts';
import { firstOrder, sortEndpoints } from './endpoint-order.ts';
import { EndpointFilters } from './endpoint-filters.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import type { WebhooksSearch } from './search.ts';

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
  const { workspace } = useWorkspace();
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
        <Button
          renderRoot={(props) => (
            <Link to="/w/$workspaceId/webinars" params={{ workspaceId: workspace.id }} {...props} />
          )}
        >
          Open webinars
        </Button>
      }
    >
      An endpoint is a URL of yours that receives signed webhooks.
    </EmptyState>
  );
}
