import { Skeleton, Stack } from '@mantine/core';

export function DeliverySkeleton() {
  return (
    <Stack aria-busy>
      <Skeleton height={18} width={140} />
      <Skeleton height={150} />
      <Skeleton height={90} />
      <Skeleton height={200} />
    </Stack>
  );
}
