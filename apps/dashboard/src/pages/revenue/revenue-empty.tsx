import { Button } from '@mantine/core';
import { IconReceipt2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';

/** True when the workspace never received an event. False until that is known. */
export function useIsUnused(): boolean {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.revenue.list.queryOptions({ limit: 1 }));
  return data?.data.length === 0;
}

/** The first steps, while no event has arrived. */
export function RevenueEmpty() {
  const { workspace } = useWorkspace();
  return (
    <EmptyState
      icon={IconReceipt2}
      title="See which webinar sells"
      steps={[
        'Connect a source in the revenue settings: Stripe, or your own shop with a signed request.',
        'Send a test event there. It appears here at once, with an amount of 0.',
        'Each purchase is credited to the offer, session or registration that came before it, with the reason.',
      ]}
      action={
        <Button
          renderRoot={(props) => (
            <Link to="/w/$workspaceId/settings/revenue" params={{ workspaceId: workspace.id }} {...props} />
          )}
        >
          Connect a source
        </Button>
      }
    >
      Purchases, refunds and chargebacks arrive as signed webhooks of your shop or payment provider.
    </EmptyState>
  );
}
