import { Button, Checkbox, Group, Text } from '@mantine/core';
import { IconUsers } from '@service/icons';
import { useCallback, type Dispatch, type ReactNode, type SetStateAction } from 'react';
import { CopyButton } from '../../../components/copy.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { formatCount, formatPlural } from '../../../format.ts';
import { createSorting } from '../../../sorting.ts';
import type { Registration } from '../../../trpc.ts';
import { useRegistrationsSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { RegistrationRow, type RegistrationActions } from './registration-row.tsx';
import {
  hasFilters,
  noFilters,
  useDeliveries,
  useRegistrationCount,
  useRegistrations,
} from './use-registrations.ts';

interface RegistrationListProps {
  actions: RegistrationActions;
  /** By id. */
  selected: ReadonlyMap<string, Registration>;
  onSelect: Dispatch<SetStateAction<ReadonlyMap<string, Registration>>>;
  /** The button that registers a person, for the empty list. */
  register: ReactNode;
}

export function RegistrationList({ actions, selected, onSelect, register }: RegistrationListProps) {
  const { webinarId, search, show } = useRegistrationsSearch();
  const column = createSorting({
    search: { order: search.order },
    first: { registeredAt: 'desc' },
    usual: 'registeredAt',
    show: ({ order }) => show({ order }),
  });
  const timeZone = useWebinar().data?.data.timezone;
  const registrations = useRegistrations();
  const count = useRegistrationCount();
  const { items, error } = registrations;
  const select = useCallback(
    (registration: Registration, isSelected: boolean) =>
      onSelect((before) => {
        const next = new Map(before);
        if (isSelected) next.set(registration.id, registration);
        else next.delete(registration.id);
        return next;
      }),
    [onSelect],
  );
  const deliveries = useDeliveries(webinarId, items ?? []);
  if (error && !items) return <FailureNotice error={error} onRetry={() => void registrations.refetch()} />;
  if (items?.length === 0) return <NoRegistrations register={register} />;
  const loaded = items ?? [];
  const isAll = loaded.length > 0 && loaded.every(({ id }) => selected.has(id));
  const all = (
    <Checkbox
      aria-label="Select all loaded rows"
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onSelect(new Map(isAll ? [] : loaded.map((one) => [one.id, one])))}
    />
  );
  return (
    <>
      {selected.size > 0 ? (
        <SelectionBar
          selected={[...selected.values()]}
          actions={actions}
          onClear={() => onSelect(new Map())}
        />
      ) : null}
      <TableCard
        name="Registrations"
        columns={[
          all,
          'Attendee',
          'Status',
          'Session',
          'Watched',
          column('registeredAt', 'Registered'),
          'Webhooks',
          <ActionsHead key="actions" />,
        ]}
        widths={[40]}
        minWidth={980}
        rows={items}
        renderRow={(registration) => (
          <RegistrationRow
            key={registration.id}
            registration={registration}
            timeZone={timeZone}
            deliveries={deliveries.get(registration.id)}
            isSelected={selected.has(registration.id)}
            onSelect={select}
            actions={actions}
          />
        )}
        onVisibleRows={registrations.onVisibleRows}
        total={count && totalText(count)}
      />
      <LoadMore {...registrations} />
    </>
  );
}

const totalText = ({ total, isMore }: { total: number; isMore: boolean }): string =>
  isMore ? `More than ${formatCount(total)} registrations` : formatPlural(total, 'registration');

function NoRegistrations({ register }: { register: ReactNode }) {
  const { webinarId, search, show } = useRegistrationsSearch();
  const status = useWebinar().data?.data.status;
  const isDraft = status === 'draft';
  if (hasFilters(search)) {
    return (
      <EmptyState
        icon={IconUsers}
        title="No registration matches"
        action={
          <Button variant="default" onClick={() => show(noFilters)}>
            Clear filters
          </Button>
        }
      >
        A search finds the beginnings of words in names and e-mail addresses.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconUsers}
      title={status === 'archived' ? 'No registrations' : 'No registrations yet'}
      action={isDraft ? undefined : register}
    >
      {status === 'archived' ? (
        'The webinar had no registrations when it was archived.'
      ) : isDraft ? (
        'Publish the webinar first. Then people register on its page, here or over the API.'
      ) : (
        <>
          Register an attendee here, or send <code>POST /api/v1/webinars/{webinarId}/registrations</code> with
          an API key.
        </>
      )}
    </EmptyState>
  );
}

const exportRows = async (selected: readonly Registration[]): Promise<void> => {
  const { saveRegistrations } = await import('./registration-dialogs.tsx');
  saveRegistrations('Registrations', selected);
};

interface SelectionBarProps {
  selected: readonly Registration[];
  actions: Pick<RegistrationActions, 'isReadOnly' | 'onCancel' | 'onRotate'>;
  onClear: () => void;
}

/** Actions for the selected rows. */
function SelectionBar({ selected, actions, onClear }: SelectionBarProps) {
  const active = selected.filter(({ status }) => status !== 'cancelled');
  const emails = [...new Set(selected.map(({ email }) => email))];
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Selected registrations">
      <Text size="sm" fw={550} role="status">
        {formatCount(selected.length)} selected
      </Text>
      <CopyButton text={emails.join('\n')} label="Copy e-mail addresses" />
      {actions.isReadOnly ? null : (
        <>
          <Button
            variant="default"
            c={active.length === 0 ? undefined : 'var(--tone-bad)'}
            disabled={active.length === 0}
            onClick={() => actions.onCancel(active)}
          >
            Cancel registrations…
          </Button>
          <Button variant="default" disabled={active.length === 0} onClick={() => actions.onRotate(active)}>
            New join links…
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => void exportRows(selected)}>
        Export selected
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}
