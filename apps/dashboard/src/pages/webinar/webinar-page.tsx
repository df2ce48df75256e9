import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { AutomationsTab } from './automations-tab.tsx';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { PausedSources } from './paused-sources.tsx';
import { PublishButton } from './publish-button.tsx';
import { RegistrationsTab } from './registrations-tab.tsx';
import { useWebinarSearch } from './use-webinar-search.ts';
import { WebinarSummary } from './webinar-summary.tsx';

const refetchMs = 15_000;

export function WebinarPage() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { webinarId, search, show } = useWebinarSearch();
  const { data, error, refetch } = useQuery(
    trpc.webinars.get.queryOptions({ webinarId }, { refetchInterval: refetchMs }),
  );
  const webinar = data?.data;
  const above = (
    <Link to="/w/$workspaceId/webinars" params={{ workspaceId: workspace.id }} style={{ fontSize: 13 }}>
      Webinars
    </Link>
  );
  if (error && !webinar) {
    return (
      <Page title="Webinar" above={above}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={webinar?.title ?? 'Webinar'}
      above={above}
      description={
        webinar ? <WebinarSummary webinar={webinar} /> : <Skeleton height={12} width={320} my={9} />
      }
      actions={webinar?.status === 'draft' ? <PublishButton webinar={webinar} /> : null}
    >
      <PausedSources webinarId={webinarId} />
      <Tabs
        value={search.tab ?? 'registrations'}
        onChange={(tab) => show({ tab: tab === 'automations' ? 'automations' : undefined })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="registrations">Registrations</Tabs.Tab>
          <Tabs.Tab value="automations">Automations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="registrations" pt="md">
          <RegistrationsTab webinar={webinar} />
        </Tabs.Panel>
        <Tabs.Panel value="automations" pt="md">
          <AutomationsTab />
        </Tabs.Panel>
      </Tabs>
      <DeliveryDrawer
        webinarId={webinarId}
        deliveryId={search.delivery}
        onClose={() => show({ delivery: undefined })}
        onShow={(delivery) => show({ delivery })}
      />
    </Page>
  );
}
