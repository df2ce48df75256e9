import { Button, Drawer, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileImport, IconUserPlus } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ExportLink } from '../../../components/export-link.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { useTRPC, type Registration, type Webinar } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { Skeletons } from '../skeletons.tsx';
import { useRegistrationsSearch } from '../use-tab-search.ts';
import { useOpenDelivery, useWebinar } from '../use-webinar.ts';
import { JoinLink } from './join-link.tsx';
import { RegistrationFilters } from './registration-filters.tsx';
import { RegistrationList } from './registration-list.tsx';
import type { RegistrationActions } from './registration-row.tsx';
import { toQuery, useSlots } from './use-registrations.ts';

// Each is loaded when its dialog opens.
const CancelRegistrations = lazy(async () => ({
  default: (await import('./registration-dialogs.tsx')).CancelRegistrations,
}));
const ErasePerson = lazy(async () => ({ default: (await import('./registration-dialogs.tsx')).ErasePerson }));
const MoveForm = lazy(async () => ({ default: (await import('./registration-dialogs.tsx')).MoveForm }));
const ImportForm = lazy(async () => ({ default: (await import('./import/import-form.tsx')).ImportForm }));
const RotateLinks = lazy(async () => ({ default: (await import('./registration-dialogs.tsx')).RotateLinks }));

/** The dialog above the list or the drawer. */
type Asking =
  | { kind: 'move' | 'erase'; registration: Registration }
  | { kind: 'cancel' | 'rotate'; registrations: readonly Registration[] };

export function RegistrationsTab() {
  const { webinarId, search, show } = useRegistrationsSearch();
  const webinar = useWebinar().data?.data;
  const [delivery] = useOpenDelivery();
  const [asking, setAsking] = useState<Asking>();
  const { workspace } = useWorkspace();
  const [selected, setSelected] = useState<ReadonlyMap<string, Registration>>(new Map());
  const close = () => setAsking(undefined);
  // The drawer of a delivery takes the place of this one until it is closed.
  const opened = delivery === undefined ? search.registration : undefined;
  const closeRegister = () => show({ create: undefined });
  const isArchived = webinar?.status === 'archived';
  const isOwner = workspace.role === 'owner';
  // The same object until something in it changes, so that no row is rendered again without a reason.
  const actions = useMemo<RegistrationActions>(
    () => ({
      isReadOnly: isArchived,
      onOpen: (registration) => show({ registration }),
      onMove: (registration) => setAsking({ kind: 'move', registration }),
      onCancel: (registrations) => setAsking({ kind: 'cancel', registrations }),
      onRotate: (registrations) => setAsking({ kind: 'rotate', registrations }),
      onErase: isOwner ? (registration) => setAsking({ kind: 'erase', registration }) : undefined,
    }),
    [isArchived, isOwner, show],
  );
  const moved = asking?.kind === 'move' ? asking.registration : undefined;
  const erased = asking?.kind === 'erase' ? asking.registration : undefined;
  const leaving = asking?.kind === 'cancel' ? asking.registrations : undefined;
  const linked = asking?.kind === 'rotate' ? asking.registrations : undefined;
  const closeImport = () => show({ import: undefined });
  const register = isArchived ? null : (
    <Button
      leftSection={<IconUserPlus size={15} />}
      disabled={webinar?.status !== 'published'}
      onClick={() => show({ create: true })}
    >
      Register attendee
    </Button>
  );
  return (
    <>
      <Group justify="flex-end" gap="xs" mb="sm" display={isArchived ? 'none' : undefined}>
        <ShowApiCall
          call={{
            operation: 'GET /webinars/{webinarId}/registrations',
            params: { webinarId },
            query: toQuery(search),
          }}
          of="Registrations"
        />
        <ExportLink list="registrations" input={{ webinarId, ...toQuery(search) }} of="Registrations" />
        <Button
          variant="default"
          leftSection={<IconFileImport size={15} />}
          disabled={webinar?.status !== 'published'}
          onClick={() => show({ import: true })}
        >
          Import CSV
        </Button>
        {register}
      </Group>
      <RegistrationFilters />
      <RegistrationList actions={actions} selected={selected} onSelect={setSelected} register={register} />
      <Drawer
        opened={opened !== undefined}
        onClose={() => show({ registration: undefined })}
        // A dialog above it takes Escape.
        closeOnEscape={asking === undefined}
        trapFocus={asking === undefined}
        title="Registration"
      >
        {opened ? <OpenRegistration key={opened} registrationId={opened} actions={actions} /> : null}
      </Drawer>
      <LateModal
        opened={leaving !== undefined}
        onClose={close}
        title={leaving?.length === 1 ? 'Cancel registration' : 'Cancel registrations'}
        height={120}
      >
        {leaving ? (
          <CancelRegistrations
            registrations={leaving}
            onClose={close}
            onDone={() => {
              close();
              setSelected(new Map());
            }}
          />
        ) : null}
      </LateModal>
      <LateModal opened={erased !== undefined} onClose={close} title="Erase this person" height={420}>
        {erased ? (
          <ErasePerson
            registration={erased}
            onClose={close}
            onDone={() => {
              close();
              setSelected(new Map());
              show({ registration: undefined });
            }}
          />
        ) : null}
      </LateModal>
      <LateModal
        opened={linked !== undefined}
        onClose={close}
        title={linked?.length === 1 ? 'New join link' : 'New join links'}
        height={120}
      >
        {linked ? <RotateLinks registrations={linked} onClose={close} /> : null}
      </LateModal>
      {webinar ? (
        <>
          <LateModal
            opened={search.import === true}
            onClose={closeImport}
            closeOnClickOutside={false}
            title="Import registrations"
            size="lg"
            height={220}
          >
            {search.import ? <ImportForm webinar={webinar} onClose={closeImport} /> : null}
          </LateModal>
          <LateModal
            opened={moved !== undefined}
            onClose={close}
            title="Move to another session"
            height={180}
          >
            {moved ? <MoveForm webinar={webinar} registration={moved} onClose={close} /> : null}
          </LateModal>
          <Modal opened={search.create === true} onClose={closeRegister} title="Register attendee">
            {search.create ? <Register webinar={webinar} onClose={closeRegister} /> : null}
          </Modal>
        </>
      ) : null}
    </>
  );
}

// The list does not wait for the rules, deliveries and events of one registration.
const RegistrationDetails = lazy(async () => ({
  default: (await import('./registration-details.tsx')).RegistrationDetails,
}));

interface OpenRegistrationProps {
  registrationId: string;
  actions: RegistrationActions;
}

function OpenRegistration({ registrationId, actions }: OpenRegistrationProps) {
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

// The form checks with the schemas of the API, which the list does not need.
const RegisterForm = lazy(async () => ({ default: (await import('./register-form.tsx')).RegisterForm }));

/** The form of a registration, then its join link. */
function Register({ webinar, onClose }: { webinar: Webinar; onClose: () => void }) {
  const [registered, setRegistered] = useState<Registration>();
  const { data: slots, error, refetch } = useSlots(webinar.id);
  // An open form keeps its values when the last session begins.
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && slots && slots.length > 0) setOpen(true);
  if (registered) {
    return (
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <strong>{registered.name}</strong> is registered for{' '}
          <SessionTime at={registered.sessionTime} timeZone={webinar.timezone} />. Their personal link is in
          the confirmation e-mail too, if that is switched on.
        </Text>
        <JoinLink url={registered.joinUrl} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => setRegistered(undefined)}>
            Register another
          </Button>
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  if (error && !slots) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!isOpen && slots?.length === 0)
    return (
      <Notice tone="info">This webinar has no upcoming session, so registration is not possible.</Notice>
    );
  const waiting = <Skeleton height={260} />;
  return (
    <Suspense fallback={waiting}>
      {slots ? (
        <RegisterForm webinar={webinar} slots={slots} onClose={onClose} onRegistered={setRegistered} />
      ) : (
        waiting
      )}
    </Suspense>
  );
}
