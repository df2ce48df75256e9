import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/notice.tsx';
import { formatCount } from '../../format.ts';
import { useTRPC } from '../../trpc.ts';

interface Usage {
  waiting: number;
  waitingMax: number;
  storedBytes: number;
  storedBytesMax: number;
}

/** The share of a limit from which on a warning is shown. */
const warnAt = 0.8;

/** Loads the usage of the workspace and the limits of its deliveries. */
export function useDeliveryUsage() {
  const trpc = useTRPC();
  return useQuery(trpc.automations.deliveryUsage.queryOptions());
}

/** "1,204 of 1,000,000" */
export const waitingText = ({ waiting, waitingMax }: Usage): string =>
  `${formatCount(waiting)} of ${formatCount(waitingMax)}`;

/** "12 MB of 20,480 MB" */
export const storedText = ({ storedBytes, storedBytesMax }: Usage): string =>
  `${megabytes(storedBytes)} of ${megabytes(storedBytesMax)}`;

const megabytes = (bytes: number): string => `${formatCount(Math.ceil(bytes / 1024 / 1024))} MB`;

/** Waiting and stored deliveries with their limits. */
export function UsageSummary() {
  const { data, error } = useDeliveryUsage();
  if (error && !data) return null;
  if (!data) {
    return (
      <Skeleton width={320} mb="md">
        <Text size="sm">&nbsp;</Text>
      </Skeleton>
    );
  }
  return (
    <Stack gap="sm" mb="md">
      <UsageWarning usage={data.data} />
      <Text size="sm" c="dimmed">
        Waiting deliveries: {waitingText(data.data)}. Stored: {storedText(data.data)}.
      </Text>
    </Stack>
  );
}

/** Nothing below 80 % of both limits. */
export function UsageWarning({ usage }: { usage: Usage }) {
  const { waiting, waitingMax, storedBytes, storedBytesMax } = usage;
  const share = Math.max(waiting / waitingMax, storedBytes / storedBytesMax);
  if (share < warnAt) return null;
  const isBacklog = waiting / waitingMax >= storedBytes / storedBytesMax;
  const what = isBacklog ? `${waitingText(usage)} deliveries wait` : `${storedText(usage)} is stored`;
  return (
    <Notice tone={share < 1 ? 'warn' : 'bad'}>
      <Text size="sm">
        {what}. {share < 1 ? 'At the limit' : 'Until there is room again,'} new rules, new subscriptions and
        bulk registrations are refused, and new deliveries are not sent; you can send them later.{' '}
        {isBacklog
          ? 'Repair, switch off or delete the endpoints that do not answer.'
          : 'The oldest deliveries are deleted each day.'}
      </Text>
    </Notice>
  );
}
