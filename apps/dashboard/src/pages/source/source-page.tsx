import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { DeliveryLog } from '../delivery/delivery-log.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HaltButton, HaltIcon } from './halt-button.tsx';
import { RecoveryNotice } from './recovery-notice.tsx';
import { SourceActions } from './source-actions.tsx';
import { SourceDialogs } from './source-dialogs.tsx';
import { SourceSummary } from './source-summary.tsx';
import { kindWords, offReasonOf, type Source } from './source.ts';
import { SourceTrail } from './source-trail.tsx';
import { useSourceSearch } from './use-source-search.ts';
import { useSource } from './use-source.ts';
import { WaitingNotice } from './waiting-notice.tsx';
import styles from './source-page.module.css';

// Few endpoints are paused or halted.
const PausedNotice = lazy(async () => ({ default: (await import('./paused-notice.tsx')).PausedNotice }));
const HaltedNotice = lazy(async () => ({ default: (await import('./paused-notice.tsx')).HaltedNotice }));

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
