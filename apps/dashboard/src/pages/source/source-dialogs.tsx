import { useNavigate } from '@tanstack/react-router';
import { useWorkspace } from '../../workspace.ts';
import { RuleDrawer } from '../webinar/automations/rule-drawer.tsx';
import { SubscriptionDialogs } from '../webinar/webhooks/subscription-dialogs.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import type { SourceSearch } from './search.ts';
import { SendWaitingDialog } from './send-waiting-dialog.tsx';
import type { Source } from './source.ts';
import { TestDialog } from './test-dialog.tsx';

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
      <RecoverDialog source={source} isOpen={dialog === 'recover'} onClose={close} />
      <SendWaitingDialog source={source} isOpen={dialog === 'send-waiting'} onClose={close} />
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
