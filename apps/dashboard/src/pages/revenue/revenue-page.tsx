import { Button, Drawer, Skeleton, Stack, Tabs } from '@mantine/core';
import { IconDownload, IconSettings } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LateModal } from '../../components/late-modal.tsx';
import { Page } from '../../components/page.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
import { Overview } from './overview.tsx';
import type { RevenueSearch } from './search.ts';
import { TimeFilters } from './time-filters.tsx';
import { useIsUnused } from './use-revenue.ts';

const RevenueEmpty = lazy(async () => ({ default: (await import('./revenue-empty.tsx')).RevenueEmpty }));
const EventsTab = lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab }));
const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));
const RevenueDetails = lazy(async () => ({
  default: (await import('./revenue-details.tsx')).RevenueDetails,
}));

const route = getRouteApi('/w/$workspaceId/revenue');

/** Purchases, refunds and chargebacks of the workspace, with the webinars that they are credited to. */
export function RevenuePage() {
  const { workspace } = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes some parameters. Undefined means the default, and closes the drawer. */
  const show = (change: RevenueSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const [isExporting, setIsExporting] = useState(false);
  const isUnused = useIsUnused(search);
  const tab = search.tab ?? 'overview';
  const stopExporting = () => setIsExporting(false);
  return (
    <Page
      title="Revenue"
      description={`Purchases, refunds and chargebacks, and the webinars that they are credited to. Days are in the time zone of the workspace, ${workspace.timeZone}.`}
      actions={
        isUnused ? null : (
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={15} />}
              onClick={() => setIsExporting(true)}
            >
              Export CSV
            </Button>
            <Button
              variant="default"
              leftSection={<IconSettings size={15} />}
              renderRoot={(props) => <WorkspaceLink to="/w/$workspaceId/settings/revenue" {...props} />}
            >
              Sources
            </Button>
          </>
        )
      }
    >
      {isUnused ? (
        <Suspense fallback={<Skeleton height={420} aria-busy />}>
          <RevenueEmpty />
        </Suspense>
      ) : (
        <>
          <TimeFilters search={search} show={show} />
          <Tabs
            value={tab}
            onChange={(next) => show({ tab: next === 'overview' ? undefined : (next as typeof search.tab) })}
          >
            <Tabs.List>
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
              <Tabs.Tab value="events">Events</Tabs.Tab>
              <Tabs.Tab value="unattributed">Unattributed</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value={tab} pt="md">
              {tab === 'overview' ? (
                <Overview search={search} show={show} />
              ) : (
                <Suspense fallback={<Skeleton height={420} aria-busy />}>
                  <EventsTab key={tab} tab={tab} search={search} show={show} />
                </Suspense>
              )}
            </Tabs.Panel>
          </Tabs>
        </>
      )}
      <LateModal
        opened={isExporting}
        onClose={stopExporting}
        title="Export revenue events as CSV"
        height={150}
      >
        <ExportForm search={search} onClose={stopExporting} />
      </LateModal>
      <RevenueDrawer
        eventId={search.event}
        onClose={() => show({ event: undefined })}
        onShow={(event) => show({ event })}
      />
    </Page>
  );
}

interface RevenueDrawerProps {
  eventId: string | undefined;
  onClose: () => void;
  /** Shows another event of the same payment. */
  onShow: (eventId: string) => void;
}

/** One event: its payment, and how it was credited. */
function RevenueDrawer({ eventId, onClose, onShow }: RevenueDrawerProps) {
  return (
    <Drawer opened={eventId !== undefined} onClose={onClose} title="Revenue event">
      {eventId ? <LoadedEvent key={eventId} eventId={eventId} onShow={onShow} /> : null}
    </Drawer>
  );
}

function LoadedEvent({ eventId, onShow }: { eventId: string; onShow: (eventId: string) => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenue.get.queryOptions({ revenueEventId: eventId }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <EventSkeleton />;
  return (
    <Suspense fallback={<EventSkeleton />}>
      <RevenueDetails event={data.data} onShow={onShow} />
    </Suspense>
  );
}

const EventSkeleton = () => (
  <Stack aria-busy>
    <Skeleton height={26} width={160} />
    <Skeleton height={84} />
    <Skeleton height={180} />
    <Skeleton height={220} />
  </Stack>
);
