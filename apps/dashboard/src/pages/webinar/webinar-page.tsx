import { Anchor, Button, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatchRoute } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { WebinarStatus } from '../../components/status.tsx';
import { formatDuration } from '../../format.ts';
import { useTRPC, type Webinar } from '../../trpc.ts';
import { useWorkspaceNavigate, WorkspaceLink } from '../../workspace.ts';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { PausedList } from '../source/paused-list.tsx';
import { ruleToSource, webhookToSource } from '../source/source.ts';
import { useRules, useWebhooks } from '../source/use-sources.ts';
import { PublishChecks, usePublish } from './actions/publish.tsx';
import { WebinarMenu } from './actions/webinar-menu.tsx';
import { ReportUnsaved, useOpenDelivery, useWebinar, useWebinarId } from './use-webinar.ts';
import { pageAddress } from './page/page-address.ts';
import styles from './webinar-page.module.css';

// Most visits publish nothing.
const PublishedNotice = lazy(async () => ({
  default: (await import('./actions/webinar-dialogs.tsx')).PublishedNotice,
}));

const tabs = [
  { path: 'archived', label: 'Overview' },
  { path: 'details', label: 'Details' },
  { path: 'schedule', label: 'Schedule' },
  { path: 'page', label: 'Page' },
  { path: 'interactions', label: 'Interactions' },
  { path: 'adaptive', label: 'Adaptive' },
  { path: 'sessions', label: 'Sessions' },
  { path: 'registrations', label: 'Registrations' },
  { path: 'results', label: 'Results' },
  { path: 'mails', label: 'E-mails' },
  { path: 'automations', label: 'Automations' },
  { path: 'webhooks', label: 'Webhooks' },
] as const;

type TabPath = (typeof tabs)[number]['path'];

/** The tabs of an archived webinar, which have nothing to edit. */
const archivedTabs: ReadonlySet<string> = new Set(['archived', 'results', 'sessions', 'registrations']);

const toTab = (path: TabPath) => `/w/$workspaceId/webinars/$webinarId/${path}` as const;

export function WebinarPage() {
  const webinarId = useWebinarId();
  const [delivery, openDelivery] = useOpenDelivery();
  const { data, error, refetch } = useWebinar();
  const webinar = data?.data;
  const [isDirty, setDirty] = useState(false);
  const publishing = usePublish(webinar, isDirty);
  const navigate = useWorkspaceNavigate();
  // Only an archived webinar has this tab, so its page looks the same before the webinar is loaded.
  const isOnArchivedTab = useMatchRoute()({ to: toTab('archived') }) !== false;
  const status = webinar?.status ?? (isOnArchivedTab ? 'archived' : undefined);
  const above = (
    <WorkspaceLink to="/w/$workspaceId/webinars" style={{ fontSize: 13 }}>
      Webinars
    </WorkspaceLink>
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
        <div className={styles['summary']}>
          {webinar ? <WebinarFacts webinar={webinar} /> : <Skeleton width={320}>&nbsp;</Skeleton>}
        </div>
      }
      actions={
        webinar ? (
          <>
            {webinar.status === 'draft' ? (
              <Button loading={publishing.isPending} onClick={publishing.publish}>
                Publish
              </Button>
            ) : null}
            <WebinarMenu
              webinar={webinar}
              onRetired={() => void navigate({ to: '/w/$workspaceId/webinars', ignoreBlocker: true })}
            />
          </>
        ) : null
      }
    >
      <PublishChecks webinarId={webinarId} {...publishing} />
      <Suspense>{webinar && publishing.isNew ? <PublishedNotice webinar={webinar} /> : null}</Suspense>
      {status === 'archived' ? (
        <Skeleton mb="md" visible={!webinar} aria-hidden={!webinar}>
          <Notice tone="info">
            This webinar is archived and read only. Restore it as a draft to change it.
          </Notice>
        </Skeleton>
      ) : (
        <PausedSources webinarId={webinarId} />
      )}
      <ReportUnsaved value={setDirty}>
        <WebinarTabs status={status} />
      </ReportUnsaved>
      <DeliveryDrawer
        webinarId={webinarId}
        deliveryId={delivery}
        onClose={() => openDelivery(undefined)}
        onShow={openDelivery}
      />
    </Page>
  );
}

function WebinarTabs({ status }: { status: Webinar['status'] | undefined }) {
  const webinarId = useWebinarId();
  const navigate = useWorkspaceNavigate();
  const matchRoute = useMatchRoute();
  const list = useRef<HTMLDivElement>(null);
  const isArchived = status === 'archived';
  const shown = tabs.filter(({ path }) => (isArchived ? archivedTabs.has(path) : path !== 'archived'));
  const first = isArchived ? 'archived' : 'details';
  const open = tabs.find(({ path }) => matchRoute({ to: toTab(path) }))?.path ?? first;
  const isShown = shown.some(({ path }) => path === open);
  // On a narrow page the list scrolls, and a link may lead to a tab outside of it.
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-tab=${open}]`);
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  const show = (path: string | null) => void navigate({ to: toTab(path as TabPath), params: { webinarId } });
  const isGone = status !== undefined && !isShown;
  // The webinar was archived or restored, or a link leads to a tab that it does not have.
  useEffect(() => {
    if (isGone)
      void navigate({ to: toTab(first), params: { webinarId }, replace: true, ignoreBlocker: true });
  }, [isGone, first, navigate, webinarId]);
  if (isGone) return null;
  return (
    <Tabs value={open} onChange={show}>
      <Tabs.List className={styles['tabs']} ref={list}>
        {shown.map(({ path, label }) => (
          <Tabs.Tab key={path} value={path} data-tab={path} className={styles['tab']}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open} pt="md">
        <Outlet />
      </Tabs.Panel>
    </Tabs>
  );
}

function WebinarFacts({ webinar }: { webinar: Webinar }) {
  const startsAt = useNextStart(webinar);
  return (
    <>
      <WebinarStatus status={webinar.status} />
      {webinar.status === 'archived' ? (
        <span>
          Archived <RelativeTime at={webinar.updatedAt} />
        </span>
      ) : startsAt ? (
        <span>
          <SessionTime at={startsAt} timeZone={webinar.timezone} />, <RelativeTime at={startsAt} />
        </span>
      ) : (
        <span>No session planned</span>
      )}
      <span>{formatDuration(webinar.durationSeconds)}</span>
      <span>{webinar.timezone}</span>
      {webinar.status === 'published' ? (
        <span>
          <Anchor href={pageAddress(webinar)} target="_blank" rel="noreferrer" inherit>
            Registration page
          </Anchor>{' '}
          <CopyAction text={pageAddress(webinar)} label="Copy address of the registration page" />
        </span>
      ) : null}
      <CopyableId id={webinar.id} name="webinar id" />
    </>
  );
}

/** The time of the next session. Without one, as in a draft, the first time of the schedule. */
function useNextStart({ id: webinarId, nextSession, status }: Webinar): string | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.sessions.slots.queryOptions(
      { webinarId, limit: 1 },
      { enabled: nextSession === null && status !== 'archived' },
    ),
  );
  return nextSession?.startsAt ?? data?.data[0]?.startsAt;
}

/** The paused endpoints of the webinar, on every tab. Hidden when there are none. */
function PausedSources({ webinarId }: { webinarId: string }) {
  const rules = useRules(webinarId).data?.data ?? [];
  const webhooks = useWebhooks(webinarId).data?.data ?? [];
  const sources = [...rules.flatMap((rule) => ruleToSource(rule) ?? []), ...webhooks.map(webhookToSource)];
  return (
    <PausedList
      sources={sources.filter(({ isEnabled, health }) => isEnabled && health.status === 'paused')}
    />
  );
}
