import { Button, Group, Text } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { RegisterDialog } from './register-dialog.tsx';
import { RegistrationRow } from './registration-row.tsx';
import { useDeliveries } from './use-deliveries.ts';
import { useOpenDelivery, useWebinar } from '../use-webinar.ts';
import { useRegistrationsSearch } from './use-registrations-search.ts';

const columns = ['Attendee', 'E-mail', 'Session', 'Registered', 'Source', 'Webhooks'];
const refetchMs = 5000;

export function RegistrationsTab() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { webinarId, search, show } = useRegistrationsSearch();
  const webinar = useWebinar().data?.data;
  const [, openDelivery] = useOpenDelivery();
  const registrations = usePaged({
    queryKey: trpc.registrations.list.queryKey({ webinarId }),
    fetchPage: (page, signal) => client.registrations.list.query({ webinarId, ...page }, { signal }),
    refetchMs,
  });
  const { items, error } = registrations;
  const deliveries = useDeliveries(webinarId, items ?? []);
  const isDraft = webinar?.status === 'draft';
  const register = (
    <Button
      leftSection={<IconUserPlus size={15} />}
      variant={items?.length ? 'default' : 'filled'}
      disabled={!webinar || webinar.status !== 'published'}
      onClick={() => show({ create: true })}
    >
      Register attendee
    </Button>
  );
  return (
    <>
      {items?.length ? (
        <Group justify="space-between" mb="sm">
          <Text size="xs" c="dimmed">
            Newest first. A badge is a webhook delivery: open it to see its payload and the responses.
          </Text>
          {register}
        </Group>
      ) : null}
      {error && !items ? <FailureNotice error={error} onRetry={() => void registrations.refetch()} /> : null}
      {items?.length === 0 ? (
        <EmptyState icon={IconUsers} title="No registrations yet" action={register}>
          {isDraft ? (
            'Publish the webinar first. Then people register here or over the API.'
          ) : (
            <>
              Register an attendee here, or send <code>POST /api/v1/webinars/{webinarId}/registrations</code>{' '}
              with an API key.
            </>
          )}
        </EmptyState>
      ) : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="Registrations" columns={columns} minWidth={900}>
          {items?.map((registration) => (
            <RegistrationRow
              key={registration.id}
              registration={registration}
              timeZone={webinar?.timezone}
              deliveries={deliveries.get(registration.id)}
              onOpenDelivery={openDelivery}
            />
          ))}
        </TableCard>
      )}
      <LoadMore {...registrations} />
      {webinar ? (
        <RegisterDialog
          webinar={webinar}
          isOpen={search.create === true}
          onClose={() => show({ create: undefined })}
        />
      ) : null}
    </>
  );
}
