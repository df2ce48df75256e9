import { Button, Group } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { LateModal } from '../../../components/late-modal.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import type { Registration } from '../../../trpc.ts';
import { useRegistrationsSearch } from '../use-tab-search.ts';
import { useOpenDelivery, useWebinar } from '../use-webinar.ts';
import { RegisterDialog } from './register-dialog.tsx';
import { RegistrationDrawer } from './registration-drawer.tsx';
import { RegistrationFilters } from './registration-filters.tsx';
import { RegistrationList } from './registration-list.tsx';
import type { RegistrationActions } from './registration-row.tsx';
import { toQuery } from './use-registrations.ts';

// Each is loaded when its dialog opens.
const CancelRegistrations = lazy(async () => ({
  default: (await import('./registration-dialogs.tsx')).CancelRegistrations,
}));
const MoveForm = lazy(async () => ({ default: (await import('./registration-dialogs.tsx')).MoveForm }));
const RotateLink = lazy(async () => ({ default: (await import('./registration-dialogs.tsx')).RotateLink }));

/** The dialog above the list or the drawer. */
type Asking =
  | { kind: 'rotate' | 'move'; registration: Registration }
  | { kind: 'cancel'; registrations: readonly Registration[] };

export function RegistrationsTab() {
  const { webinarId, search, show } = useRegistrationsSearch();
  const webinar = useWebinar().data?.data;
  const [delivery] = useOpenDelivery();
  const [asking, setAsking] = useState<Asking>();
  const [selected, setSelected] = useState<ReadonlyMap<string, Registration>>(new Map());
  const close = () => setAsking(undefined);
  const actions: RegistrationActions = {
    onOpen: (registration) => show({ registration }),
    onRotate: (registration) => setAsking({ kind: 'rotate', registration }),
    onMove: (registration) => setAsking({ kind: 'move', registration }),
    onCancel: (registrations) => setAsking({ kind: 'cancel', registrations }),
  };
  const asked = (kind: 'rotate' | 'move') => (asking?.kind === kind ? asking.registration : undefined);
  const [rotated, moved] = [asked('rotate'), asked('move')];
  const leaving = asking?.kind === 'cancel' ? asking.registrations : undefined;
  const register = (
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
      <Group justify="flex-end" gap="xs" mb="sm">
        <ShowApiCall
          call={{
            operation: 'GET /webinars/{webinarId}/registrations',
            params: { webinarId },
            query: toQuery(search),
          }}
          of="Registrations"
        />
        {register}
      </Group>
      <RegistrationFilters />
      <RegistrationList actions={actions} selected={selected} onSelect={setSelected} register={register} />
      {/* The drawer of a delivery takes its place until it is closed. */}
      <RegistrationDrawer
        registrationId={delivery === undefined ? search.registration : undefined}
        isCovered={asking !== undefined}
        onClose={() => show({ registration: undefined })}
        actions={actions}
      />
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
      <LateModal opened={rotated !== undefined} onClose={close} title="New join link" height={120}>
        {rotated ? <RotateLink registration={rotated} onClose={close} /> : null}
      </LateModal>
      {webinar ? (
        <>
          <LateModal
            opened={moved !== undefined}
            onClose={close}
            title="Move to another session"
            height={180}
          >
            {moved ? <MoveForm webinar={webinar} registration={moved} onClose={close} /> : null}
          </LateModal>
          <RegisterDialog
            webinar={webinar}
            isOpen={search.create === true}
            onClose={() => show({ create: undefined })}
          />
        </>
      ) : null}
    </>
  );
}
