import { Button, Skeleton, Tabs } from '@mantine/core';
import { IconDownload, IconSettings } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.ts';
import { ExportDialog } from './export-dialog.tsx';
import { Overview } from './overview.tsx';
import { RevenueDrawer } from './revenue-drawer.tsx';
import { TimeFilters } from './time-filters.tsx';
import { useIsUnused } from './use-revenue.ts';
import { useRevenueSearch } from './use-revenue-search.ts';

const RevenueEmpty = lazy(async () => ({ default: (await import('./revenue-empty.tsx')).RevenueEmpty }));
const EventsTab = lazy(async () => ({ default: (await import('./events-tab.tsx')).EventsTab }));

/** Purchases, refunds and chargebacks of the workspace, with the webinars that they are credited to. */
export function RevenuePage() {
  const { workspace } = useWorkspace();
  const { search, show } = useRevenueSearch();
  const [isExporting, setIsExporting] = useState(false);
  const isUnused = useIsUnused(search);
  const tab = search.tab ?? 'overview';
  const closeDrawer = () => show({ event: undefined });
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
              renderRoot={(props) => (
                <Link
                  to="/w/$workspaceId/settings/revenue"
                  params={{ workspaceId: workspace.id }}
                  {...props}
                />
              )}
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
      <ExportDialog search={search} isOpen={isExporting} onClose={() => setIsExporting(false)} />
      <RevenueDrawer eventId={search.event} onClose={closeDrawer} onShow={(event) => show({ event })} />
    </Page>
  );
}
