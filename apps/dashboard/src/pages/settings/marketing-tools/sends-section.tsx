import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { ChoiceFilter } from '../../../components/choice-filter.tsx';
import { ContactSends, sendOutcomes, type OutcomeName } from '../../../components/contact-sends.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { Section } from '../../../components/section.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type ContactSend } from '../../../trpc.ts';

interface SendsSectionProps {
  connectionId: string;
  /** Undefined: all. */
  outcome: OutcomeName | undefined;
  onOutcome: (outcome: OutcomeName | undefined) => void;
}

const outcomeChoices = Object.entries(sendOutcomes).map(([value, { word }]) => ({
  value: value as OutcomeName,
  label: word,
}));

/** The history of a connection. */
export function SendsSection({ connectionId, outcome, onOutcome }: SendsSectionProps) {
  const trpc = useTRPC();
  const { contacts } = useTRPCClient();
  const filter = { connectionId, ...(outcome !== undefined && { outcome }) };
  const sends = usePaged<ContactSend>({
    queryKey: trpc.contacts.listSends.queryKey(filter),
    fetchPage: (page, signal) => contacts.listSends.query({ ...filter, ...page }, { signal }),
  });
  const { items, error } = sends;
  return (
    <Section
      title="Sent"
      text="One entry for each try to send the changes of a person, newest first. Values are kept for 7 days."
      apiCall={{
        operation: 'GET /connections/{connectionId}/sends',
        params: { connectionId },
        query: { outcome },
      }}
    >
      {items?.length || outcome !== undefined ? (
        <FilterBar>
          <ChoiceFilter label="Outcome" choices={outcomeChoices} value={outcome} onChange={onOutcome} />
        </FilterBar>
      ) : null}
      <ListResult
        items={items}
        error={error}
        refetch={sends.refetch}
        empty={
          outcome === undefined ? (
            <EmptyState icon={IconSend} title="Nothing sent yet">
              The first entry appears here when somebody registers.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconSend}
              title="No such send"
              action={<Button onClick={() => onOutcome(undefined)}>Clear filters</Button>}
            >
              Nothing in the history has this outcome.
            </EmptyState>
          )
        }
      >
        {items ? (
          <ContactSends label="Sent" sends={items} nameOf={({ contact }) => contact ?? 'A person'} />
        ) : (
          <Skeleton height={220} aria-busy />
        )}
      </ListResult>
      <LoadMore {...sends} />
    </Section>
  );
}
