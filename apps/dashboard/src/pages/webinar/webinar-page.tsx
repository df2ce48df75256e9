import { Skeleton, Tabs } from '@mantine/core';
import { Link, Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.ts';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { PublishButton, PublishChecks, usePublish } from './actions/publish.tsx';
import { WebinarMenu } from './actions/webinar-menu.tsx';
import { useEffect, useRef } from 'react';
import styles from './webinar-page.module.css';
import { PausedSources } from './paused-sources.tsx';
import { WebinarSummary } from './webinar-summary.tsx';
import { useOpenDelivery, useWebinar, useWebinarId } from './use-webinar.ts';

const tabs = [
  { path: 'details', label: 'Details' },
  { path: 'schedule', label: 'Schedule' },
  { path: 'page', label: 'Page' },
  { path: 'interactions', label: 'Interactions' },
  { path: 'adaptive', label: 'Adaptive' },
  { path: 'sessions', label: 'Sessions' },
  { path: 'registrations', label: 'Registrations' },
  { path: 'automations', label: 'Automations' },
  { path: 'webhooks', label: 'Webhooks' },
] as const;

type TabPath = (typeof tabs)[number]['path'];

const toTab = (path: TabPath) => `/w/$workspaceId/webinars/$webinarId/${path}` as const;

export function WebinarPage() {
  const { workspace } = useWorkspace();
  const webinarId = useWebinarId();
  const [delivery, openDelivery] = useOpenDelivery();
  const { data, error, refetch } = useWebinar();
  const webinar = data?.data;
  const publishing = usePublish(webinar);
  const navigate = useNavigate();
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
      actions={
        webinar ? (
          <>
            {webinar.status === 'draft' ? <PublishButton {...publishing} /> : null}
            <WebinarMenu
              webinar={webinar}
              onRetired={() =>
                void navigate({
                  to: '/w/$workspaceId/webinars',
                  params: { workspaceId: workspace.id },
                  ignoreBlocker: true,
                })
              }
            />
          </>
        ) : null
      }
    >
      <PublishChecks webinarId={webinarId} {...publishing} />
      <PausedSources webinarId={webinarId} />
      <WebinarTabs />
      <DeliveryDrawer
        webinarId={webinarId}
        deliveryId={delivery}
        onClose={() => openDelivery(undefined)}
        onShow={openDelivery}
      />
    </Page>
  );
}

function WebinarTabs() {
  const { workspace } = useWorkspace();
  const webinarId = useWebinarId();
  const navigate = useNavigate();
  const matchRoute = useMatchRoute();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.find(({ path }) => matchRoute({ to: toTab(path) }))?.path ?? 'details';
  // On a narrow page the list scrolls, and a link may lead to a tab outside of it.
  useEffect(() => {
    const tab = list.current?.children[tabs.findIndex(({ path }) => path === open)];
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  const show = (path: string | null) =>
    void navigate({ to: toTab(path as TabPath), params: { workspaceId: workspace.id, webinarId } });
  return (
    <Tabs value={open} onChange={show}>
      <Tabs.List className={styles['tabs']} ref={list}>
        {tabs.map(({ path, label }) => (
          <Tabs.Tab key={path} value={path} className={styles['tab']}>
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
