import { useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { LateModal } from '../../components/late-modal.tsx';
import { useWorkspace } from '../../workspace.ts';
import { RuleDrawer } from '../webinar/automations/rule-drawer.tsx';
import { SubscriptionDialogs } from '../webinar/webhooks/subscription-dialogs.tsx';
import type { SourceSearch } from './search.ts';
import type { Source } from './source.ts';
import { TestDialog } from './test-dialog.tsx';

// Each is loaded when its dialog opens.
const Recover = lazy(async () => ({ default: (await import('./recover.tsx')).Recover }));
const SendWaiting = lazy(async () => ({ default: (await import('./recover.tsx')).SendWaiting }));

interface SourceDialogsProps {
  source: Source;
  /** The dialog that is open. */
  dialog: SourceSearch['dialog'];
  show: (change: SourceSearch) => void;
}

/** The dialogs of the page of a rule or subscription. */
export function SourceDialogs({ source, dialog, show }: SourceDialogsProps) {
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const { webinarId } = source;
  const close = () => show({ dialog: undefined });
  const isSubscription = source.kind === 'webhook';
  return (
    <>
      <TestDialog
        source={source}
        isOpen={dialog === 'test'}
        onClose={close}
        onShow={(delivery) => show({ dialog: undefined, delivery })}
      />
      <LateModal
        opened={dialog === 'recover'}
        onClose={close}
        title="Send again what failed since …"
        size="lg"
        height={260}
      >
        <Recover source={source} onClose={close} />
      </LateModal>
      <LateModal
        opened={dialog === 'send-waiting'}
        onClose={close}
        title="Send all that wait now"
        height={120}
      >
        <SendWaiting source={source} onClose={close} />
      </LateModal>
      {isSubscription ? (
        <SubscriptionDialogs
          source={source}
          dialog={
            dialog === 'edit' || dialog === 'rotate' || dialog === 'off' || dialog === 'delete'
              ? dialog
              : undefined
          }
          onClose={close}
          onDeleted={() =>
            void navigate({
              to: '/w/$workspaceId/webinars/$webinarId/webhooks',
              params: { workspaceId: workspace.id, webinarId },
            })
          }
        />
      ) : (
        <RuleDrawer
          webinarId={webinarId}
          ruleId={dialog === 'details' ? source.id : undefined}
          onClose={close}
        />
      )}
    </>
  );
}
