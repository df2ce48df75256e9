import { Button, Modal, Table, Text, TextInput } from '@mantine/core';
import { IconMailOff, IconPlus } from '@service/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterBar, SearchFilter } from '../../../components/filter-bar.tsx';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, CutText, TableCard } from '../../../components/table-card.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Suppression } from '../../../trpc.ts';

/** An address is the identity of its row. */
type Listed = Suppression & { id: string };

interface SuppressionsSectionProps {
  /** The beginning of an address or a domain, from the URL. */
  q: string | undefined;
  onSearch: (q: string | undefined) => void;
}

/** The addresses that the workspace does not write to. */
export function SuppressionsSection({ q, onSearch }: SuppressionsSectionProps) {
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Listed>();
  const suppressions = useSuppressions(q);
  const { items, error } = suppressions;
  const add = (
    <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
      Add address
    </Button>
  );
  return (
    <Section
      title="Suppressed addresses"
      text="This workspace does not write to them. Addresses that do not exist and people who complain are added automatically."
      action={items?.length || q ? add : null}
      exported={{ list: 'suppressions', input: { q } }}
    >
      {items?.length || q ? (
        <FilterBar>
          <SearchFilter label="Address or domain" placeholder="example.com" value={q} onChange={onSearch} />
        </FilterBar>
      ) : null}
      <ListResult
        items={items}
        error={error}
        refetch={suppressions.refetch}
        empty={
          q === undefined ? (
            <EmptyState icon={IconMailOff} title="No suppressed addresses" action={add}>
              An address is added when its e-mails bounce, and when a person unsubscribes or marks an e-mail
              as spam.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconMailOff}
              title="No such address"
              action={<Button onClick={() => onSearch(undefined)}>Clear filters</Button>}
            >
              No suppressed address begins with “{q}” or has that domain.
            </EmptyState>
          )
        }
      >
        <TableCard
          name="Suppressed addresses"
          columns={['Address', 'Reason', 'Note', 'Added', <ActionsHead key="actions" />]}
          minWidth={640}
          rows={items}
          onVisibleRows={suppressions.onVisibleRows}
          renderRow={(suppression) => (
            <Table.Tr key={suppression.address}>
              <Table.Td maw={260}>
                <CutText text={suppression.address} />
              </Table.Td>
              <Table.Td>{reasonNames[suppression.reason]}</Table.Td>
              <Table.Td maw={220}>
                <CutText text={suppression.note ?? undefined} />
              </Table.Td>
              <Table.Td>
                <RelativeTime at={suppression.addedAt} />
              </Table.Td>
              <Table.Td ta="end">
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={`Remove ${suppression.address}`}
                  onClick={() => setLeaving(suppression)}
                >
                  Remove
                </Button>
              </Table.Td>
            </Table.Tr>
          )}
        />
      </ListResult>
      <LoadMore {...suppressions} />
      <Modal opened={isAdding} onClose={() => setAdding(false)} title="Add a suppressed address">
        {isAdding ? <AddForm onClose={() => setAdding(false)} /> : null}
      </Modal>
      <Modal
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title="Remove a suppressed address"
      >
        {leaving ? <RemoveForm suppression={leaving} onClose={() => setLeaving(undefined)} /> : null}
      </Modal>
    </Section>
  );
}

/** From A to Z. The last address of a page is the cursor of the next one. */
function useSuppressions(q: string | undefined) {
  const trpc = useTRPC();
  const { suppressions } = useTRPCClient();
  const filter = q === undefined ? {} : { q };
  return usePaged<Listed>({
    queryKey: trpc.suppressions.list.queryKey(filter),
    async fetchPage({ limit, cursor }, signal) {
      const page = { limit, ...(cursor !== undefined && { after: cursor }) };
      const { data } = await suppressions.list.query({ ...filter, ...page }, { signal });
      const nextCursor = data.length < limit ? null : data.at(-1)!.address;
      return {
        data: data.map((one) => ({ ...one, id: one.address })),
        pagination: { nextCursor, hasMore: nextCursor !== null },
      };
    },
  });
}

const reasonNames: Record<Suppression['reason'], string> = {
  unsubscribed: 'Unsubscribed',
  hard_bounce: 'Does not exist',
  complaint: 'Marked as spam',
  by_hand: 'Added by a member',
  soft_bounces: 'Refused several times',
};

/** The result of a removal, by the reason for which the address was added. */
const removalTexts: Record<Suppression['reason'], string> = {
  unsubscribed:
    'The person asked for no more e-mails after sessions. Remove it only if they have asked you to write again.',
  hard_bounce:
    'The provider said that the address does not exist. If it bounces again, it is added again, and bounces harm the reputation of your domain.',
  complaint:
    'The person marked an e-mail as spam. Another complaint harms the reputation of your domain, so remove it only if they have asked you to write again.',
  by_hand: 'A member added it.',
  soft_bounces: 'The mailbox refused several e-mails in a row. It is added again if that goes on.',
};

const useSuppressionsChanged = () => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.suppressions.pathFilter());
};

const paths = ['address', 'note'];

function AddForm({ onClose }: { onClose: () => void }) {
  const { suppressions } = useTRPCClient();
  const changed = useSuppressionsChanged();
  const [address, setAddress] = useState('');
  const [note, setNote] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => suppressions.add.mutate({ address, note: note.trim() || null }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const errors = error ? fieldErrors(failureOf(error), paths) : {};
  return (
    <DialogForm
      error={error}
      shownPaths={paths}
      submit="Add"
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        The address gets no e-mail of any webinar any more, neither confirmations nor reminders.
      </Text>
      <TextInput
        label="Address"
        type="email"
        autoComplete="off"
        maxLength={254}
        data-autofocus
        error={errors['address']}
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label="Note"
        description="For your team, such as who asked for it."
        autoComplete="off"
        maxLength={500}
        error={errors['note']}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

function RemoveForm({ suppression, onClose }: { suppression: Listed; onClose: () => void }) {
  const { suppressions } = useTRPCClient();
  const changed = useSuppressionsChanged();
  const { address, reason } = suppression;
  return (
    <Question
      text={`This workspace writes to ${address} again, from the next e-mail on. ${removalTexts[reason]}`}
      confirm="Remove address"
      act={() => suppressions.remove.mutate({ address })}
      changed={changed}
      onClose={onClose}
    />
  );
}
