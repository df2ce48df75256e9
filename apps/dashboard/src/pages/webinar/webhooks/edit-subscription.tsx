import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPC } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import { SubscriptionForm } from './subscription-form.tsx';

interface EditSubscriptionProps {
  source: Source;
  onClose: () => void;
}

/** The form of a subscription, with the whole record, whose version is sent with the change. */
export function EditSubscription({ source, onClose }: EditSubscriptionProps) {
  const trpc = useTRPC();
  const { webinarId, id: webhookId } = source;
  const { data, error, refetch } = useQuery(trpc.webhooks.get.queryOptions({ webinarId, webhookId }));
  if (data) return <SubscriptionForm webinarId={webinarId} stored={data.data} onClose={onClose} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={420} aria-busy />;
}
