import { Drawer } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { Skeletons } from '../skeletons.tsx';
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

export const RuleSkeleton = () => <Skeletons parts={[[20, 180], [60], [140], [60]]} />;
