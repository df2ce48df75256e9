import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { useTRPC } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { DeliveryLog } from '../delivery/delivery-log.tsx';
import { healthText } from '../delivery/delivery-status.tsx';
import { useTriggerText } from '../webinar/automations/use-triggers.ts';
import { HealthBadge, Since } from './health-badge.tsx';
import type { SourceSearch } from './search.ts';
import { HaltButton, HaltIcon, SourceActions } from './source-actions.tsx';
import { SourceDialogs } from './source-dialogs.tsx';
import styles from './source-page.module.css';
import { kindWords, offReasonOf, sourceKinds, type Source, type SourceRef } from './source.ts';
import { useSource } from './use-source.ts';
import { RecoveryNotice, WaitingNotice } from './waiting-notice.tsx';

// Few endpoints are paused or halted.
const PausedNotice = lazy(async () => ({ default: (await import('./endpoint-notices.tsx')).PausedNotice }));
const HaltedNotice = lazy(async () => ({ default: (await import('./endpoint-notices.tsx')).HaltedNotice }));

/** A rule or subscription: the health of its endpoint, and its deliveries. */
export function SourcePage() {
  const { ref, search, show } = useSourceSearch();
  const { data: source, error, refetch } = useSource(ref);
  const kindText = kindWords[ref.kind];
  if (error && !source) {
    return (
      <Page title={kindText} above={<SourceTrail source={ref} />}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={source?.name ?? kindText}
      above={<SourceTrail source={ref} />}
      description={source ? <SourceSummary source={source} /> : <Skeleton height={12} width={320} my={9} />}
      actions={
        <>
          {source ? (
            source.isEnabled && !source.isHalted && <HaltButton source={source} halted />
          ) : (
            <HaltIcon />
          )}
          <SourceActions kind={ref.kind} offReason={source && offReasonOf(source)} show={show} />
        </>
      }
    >
      <div className={styles['notices']}>
        <Suspense>
          {source?.isEnabled && source.isHalted ? <HaltedNotice source={source} /> : null}
          {source?.health.status === 'paused' && source.isEnabled ? <PausedNotice source={source} /> : null}
        </Suspense>
        {source ? <WaitingNotice source={source} onSend={() => show({ dialog: 'send-waiting' })} /> : null}
        <RecoveryNotice source={ref} onOpen={() => show({ dialog: 'recover' })} />
      </div>
      <Section title="Deliveries" text="Newest first. Open a delivery to see its request and the responses.">
        <DeliveryLog
          scope={{ source: ref }}
          search={search}
          show={show}
          unused={source && isNew(source) ? <NothingSent onTest={() => show({ dialog: 'test' })} /> : null}
        />
      </Section>
      {source ? <SourceDialogs source={source} dialog={search.dialog} show={show} /> : null}
      <DeliveryDrawer
        webinarId={ref.webinarId}
        deliveryId={search.delivery}
        onClose={() => show({ delivery: undefined })}
        onShow={(delivery) => show({ delivery })}
      />
    </Page>
  );
}

const dayMs = 24 * 3_600_000;

/** Younger than the default range of the list, so that an empty list means that nothing was ever sent. */
const isNew = ({ createdAt }: Source): boolean => Date.now() - Date.parse(createdAt) < 7 * dayMs;

const NothingSent = ({ onTest }: { onTest: () => void }) => (
  <EmptyState
    icon={IconSend}
    title="Nothing sent yet"
    action={
      <Button variant="default" onClick={onTest}>
        Send a test
      </Button>
    }
  >
    The first delivery appears here when its event happens. Send a test to check whether the endpoint answers.
  </EmptyState>
);

/** Breadcrumb: webinars, the webinar, and the tab that lists the rule or subscription. */
function SourceTrail({ source: { kind, webinarId } }: { source: SourceRef }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.webinars.get.queryOptions({ webinarId }));
  const params = { webinarId };
  const title = data?.data.title ?? 'Webinar';
  return (
    <nav className={styles['trail']} aria-label="Breadcrumb">
      <WorkspaceLink to="/w/$workspaceId/webinars">Webinars</WorkspaceLink>
      <span aria-hidden>/</span>
      <WorkspaceLink
        to="/w/$workspaceId/webinars/$webinarId/details"
        params={params}
        className={styles['title']}
        title={title}
      >
        {title}
      </WorkspaceLink>
      <span aria-hidden>/</span>
      {kind === 'rule' ? (
        <WorkspaceLink to="/w/$workspaceId/webinars/$webinarId/automations" params={params}>
          Automations
        </WorkspaceLink>
      ) : (
        <WorkspaceLink to="/w/$workspaceId/webinars/$webinarId/webhooks" params={params}>
          Webhooks
        </WorkspaceLink>
      )}
    </nav>
  );
}

/** State, health of the endpoint, event types and URL. The id of a rule is among its details, so that this is one line. */
function SourceSummary({ source }: { source: Source }) {
  const { kind, id, url, isEnabled, isHalted, eventTypes, health } = source;
  const triggerText = useTriggerText();
  return (
    <div className={styles['summary']}>
      <Status tone={isEnabled ? 'good' : 'quiet'} isHollow={!isEnabled}>
        {isEnabled ? 'Enabled' : 'Off'}
      </Status>
      {health.failuresInARow === 0 && !health.untriedSinceChange && !isHalted ? null : (
        <HealthBadge health={health} isHalted={isHalted} />
      )}
      {health.failuresInARow > 0 && health.status !== 'paused' ? (
        <span>
          {healthText(health)}
          <Since at={health.since} />
        </span>
      ) : null}
      <span title={eventTypes.join(', ')}>
        {eventTypes.length === 1 ? triggerText(eventTypes[0]!) : `${eventTypes.length} event types`}
      </span>
      <span className={styles['url']}>
        <code>POST {url}</code>
        <CopyAction text={url} label="Copy endpoint URL" />
      </span>
      {kind === 'rule' ? null : <CopyableId id={id} name="subscription id" />}
    </div>
  );
}

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId/$kind/$sourceId');

/** The rule or subscription in the URL, and the state of its page, which is in the URL too. */
function useSourceSearch() {
  const { webinarId, kind: typed, sourceId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const ref = useMemo<SourceRef>(() => {
    const kind = sourceKinds.find((known) => known === typed) ?? 'rule';
    return { kind, webinarId, id: sourceId };
  }, [sourceId, typed, webinarId]);
  /** Changes some parameters. Undefined closes the dialog or drawer, or removes the filter, of that parameter. */
  const show = (change: SourceSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return { ref, search, show };
}
