import { Drawer, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import type { RuleDetailsProps } from './rule-details.tsx';

// The list of rules does not wait for the details and the secret of one.
const RuleDetails = lazy(async () => ({ default: (await import('./rule-details.tsx')).RuleDetails }));

type RuleDrawerProps = Omit<RuleDetailsProps, 'ruleId'> & {
  ruleId: string | undefined;
  onClose: () => void;
};

export function RuleDrawer({ ruleId, onClose, ...props }: RuleDrawerProps) {
  const escape = useOwnEscape(ruleId !== undefined, onClose);
  return (
    <Drawer opened={ruleId !== undefined} onClose={onClose} size="xl" title="Rule" {...escape}>
      <Suspense fallback={<RuleSkeleton />}>
        {ruleId ? <RuleDetails key={ruleId} ruleId={ruleId} {...props} /> : null}
      </Suspense>
    </Drawer>
  );
}

export const RuleSkeleton = () => (
  <Stack aria-busy>
    <Skeleton height={20} width={180} />
    <Skeleton height={60} />
    <Skeleton height={140} />
    <Skeleton height={60} />
  </Stack>
);
