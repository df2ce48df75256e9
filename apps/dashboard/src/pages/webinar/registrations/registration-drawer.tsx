import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPC } from '../../../trpc.ts';
import { Skeletons } from '../skeletons.tsx';
import { useRegistrationsSearch } from '../use-tab-search.ts';
import type { RegistrationActions } from './registration-row.tsx';

// The list does not wait for the rules, deliveries and events of one registration.
const RegistrationDetails = lazy(async () => ({
  default: (await import('./registration-details.tsx')).RegistrationDetails,
}));

interface RegistrationDrawerProps {
  registrationId: string | undefined;
  /** A dialog is open above it, and takes Escape. */
  isCovered: boolean;
  onClose: () => void;
  actions: RegistrationActions;
}

export function RegistrationDrawer({ registrationId, isCovered, onClose, actions }: RegistrationDrawerProps) {
  return (
    <Drawer
      opened={registrationId !== undefined}
      onClose={onClose}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      title="Registration"
    >
      {registrationId ? (
        <RegistrationBody key={registrationId} registrationId={registrationId} actions={actions} />
      ) : null}
    </Drawer>
  );
}

function RegistrationBody({
  registrationId,
  actions,
}: {
  registrationId: string;
  actions: RegistrationActions;
}) {
  const trpc = useTRPC();
  const { webinarId } = useRegistrationsSearch();
  const { data, error, refetch } = useQuery(
    trpc.registrations.get.queryOptions({ webinarId, registrationId }),
  );
  if (data) {
    return (
      <Suspense fallback={<RegistrationSkeleton />}>
        <RegistrationDetails registration={data.data} actions={actions} />
      </Suspense>
    );
  }
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <RegistrationSkeleton />;
}

const RegistrationSkeleton = () => <Skeletons parts={[[20, 180], [56], [220]]} />;
