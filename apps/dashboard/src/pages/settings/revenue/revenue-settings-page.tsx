import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { useTRPC } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { RefusedSection } from './refused-section.tsx';
import { SourceCard } from './source-card.tsx';
import { WindowSection } from './window-section.tsx';

/** Sources of revenue events, the events that were refused, and the attribution window. */
export function RevenueSettingsPage() {
  const { workspace } = useWorkspace();
  const isOwner = workspace.role === 'owner';
  return (
    <Page
      title="Revenue settings"
      description={
        isOwner
          ? 'Where purchases, refunds and chargebacks come from, and for how long a webinar gets the credit.'
          : 'Where purchases, refunds and chargebacks come from, and for how long a webinar gets the credit. Only owners change these settings.'
      }
    >
      <Section
        title="Sources"
        text="Each source has its own address and its own secret. Events without a valid signature are refused."
      >
        <Sources isOwner={isOwner} />
      </Section>
      {isOwner ? <RefusedSection /> : null}
      <WindowSection isOwner={isOwner} />
    </Page>
  );
}

function Sources({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenueSources.list.queryOptions());
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Stack aria-busy>
        <Skeleton height={420} />
        <Skeleton height={420} />
      </Stack>
    );
  }
  return data.data.map((source) => <SourceCard key={source.provider} source={source} isOwner={isOwner} />);
}
