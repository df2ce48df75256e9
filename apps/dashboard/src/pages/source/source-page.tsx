import { Button, Skeleton } from '@mantine/core';
import { IconHistory, IconKey, IconSend } from '@tabler/icons-react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { GuardedButton } from '../../components/guarded-button.tsx';
import { Page } from '../../components/page.tsx';
import { DeliveryDrawer } from '../delivery/delivery-drawer.tsx';
import { RuleDrawer } from '../webinar/automations/rule-drawer.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { PausedNotice } from './paused-notice.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { RecoveryNotice } from './recovery-notice.tsx';
import { SourceSummary } from './source-summary.tsx';
import { offReasonOf, type SourceKind } from './source.ts';
import { SourceTrail } from './source-trail.tsx';
import { TestDialog } from './test-dialog.tsx';
import { useSourceSearch } from './use-source-search.ts';
import { useSource } from './use-source.ts';
import styles from './source-page.module.css';

/** A webhook rule or subscription: the health of its receiver, and its deliveries. */
export function SourcePage() {
  const { ref, search, show } = useSourceSearch();
  const { data: source, error, refetch } = useSource(ref);
  const kindText = ref.kind === 'rule' ? 'Webhook rule' : 'API subscription';
  if (error && !source) {
    return (
      <Page title={kindText} above={<SourceTrail webinarId={ref.webinarId} />}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={source?.name ?? kindText}
      above={<SourceTrail webinarId={ref.webinarId} />}
      description={source ? <SourceSummary source={source} /> : <Skeleton height={12} width={320} my={9} />}
      actions={<SourceActions kind={ref.kind} offReason={source && offReasonOf(source)} />}
    >
      <div className={styles['notices']}>
        {source?.health.status === 'paused' ? <PausedNotice source={source} /> : null}
        <RecoveryNotice source={ref} onOpen={() => show({ dialog: 'recover' })} />
      </div>
      <DeliveriesSection source={source} />
      {source ? (
        <>
          <TestDialog
            source={source}
            isOpen={search.dialog === 'test'}
            onClose={() => show({ dialog: undefined })}
            onShow={(delivery) => show({ dialog: undefined, delivery })}
          />
          <RecoverDialog
            source={source}
            isOpen={search.dialog === 'recover'}
            onClose={() => show({ dialog: undefined })}
          />
        </>
      ) : null}
      {ref.kind === 'rule' ? (
        <RuleDrawer
          webinarId={ref.webinarId}
          ruleId={search.dialog === 'details' ? ref.id : undefined}
          onClose={() => show({ dialog: undefined })}
        />
      ) : null}
      <DeliveryDrawer
        webinarId={ref.webinarId}
        deliveryId={search.delivery}
        onClose={() => show({ delivery: undefined })}
        onShow={(delivery) => show({ delivery })}
      />
    </Page>
  );
}

interface SourceActionsProps {
  kind: SourceKind;
  /** The reason why nothing can be sent. */
  offReason: string | undefined;
}

function SourceActions({ kind, offReason }: SourceActionsProps) {
  const { show } = useSourceSearch();
  return (
    <>
      {kind === 'rule' ? (
        <Button
          variant="default"
          leftSection={<IconKey size={15} />}
          onClick={() => show({ dialog: 'details' })}
        >
          Details
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconHistory size={15} />}
        onClick={() => show({ dialog: 'recover' })}
      >
        Recover
      </Button>
      <GuardedButton
        reason={offReason}
        leftSection={<IconSend size={15} />}
        onClick={() => show({ dialog: 'test' })}
      >
        Send test
      </GuardedButton>
    </>
  );
}
