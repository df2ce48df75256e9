import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { DeliveryLog } from '../delivery/delivery-log.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import type { WebhooksSearch } from './search.ts';
import { UsageSummary } from './usage-summary.tsx';

/** All endpoints of the workspace, and all their deliveries. */
export function WebhooksPage() {
  const { search, show } = useWebhooksSearch();
  const tab = search.tab ?? 'endpoints';
  return (
    <Page
      title="Webhooks"
      description="The endpoints of all rules and subscriptions, and everything that was sent to them."
    >
      <UsageSummary />
      <Tabs value={tab} onChange={(next) => show({ tab: next === 'deliveries' ? next : undefined })}>
        <Tabs.List>
          <Tabs.Tab value="endpoints">Endpoints</Tabs.Tab>
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          {tab === 'endpoints' ? (
            <EndpointsSection search={search} show={show} />
          ) : (
            <DeliveryLog scope={{}} search={search} show={show} />
          )}
        </Tabs.Panel>
      </Tabs>
      <DeliveryDrawer
        deliveryId={search.delivery}
        onClose={() => show({ delivery: undefined })}
        onShow={(delivery) => show({ delivery })}
      />
    </Page>
  );
}

const route = getRouteApi('/w/$workspaceId/webhooks');

/** The state of the page, as the URL keeps it. */
function useWebhooksSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: WebhooksSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { search, show };
}
