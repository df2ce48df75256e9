import { Button, Group } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import type { Registration } from '../../../trpc.ts';
import { useOpenDelivery, useWebinar } from '../use-webinar.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { RegisterDialog } from './register-dialog.tsx';
import { RegistrationDrawer } from './registration-drawer.tsx';
import { RegistrationFilters } from './registration-filters.tsx';
import { RegistrationList } from './registration-list.tsx';
import type { RegistrationActions } from './registration-menu.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { toQuery, useRegistrationsSearch } from './use-registrations-search.ts';

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
      <CancelDialog
        registrations={asking?.kind === 'cancel' ? asking.registrations : undefined}
        onClose={close}
        onDone={() => {
          close();
          setSelected(new Map());
        }}
      />
      <RotateDialog registration={asked('rotate')} onClose={close} />
      {webinar ? (
        <>
          <MoveDialog webinar={webinar} registration={asked('move')} onClose={close} />
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
