import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@service/icons';
import { ChoiceFilter } from '../../../components/choice-filter.tsx';
import {
  ContactSends,
  sendOutcomes,
  type OutcomeName,
  type SendOutcome,
} from '../../../components/contact-sends.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { Section } from '../../../components/section.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Connection, type ContactSend } from '../../../trpc.ts';
import { useTool } from './tools.ts';

interface SendsSectionProps {
  connection: Connection;
  /** Undefined: all. */
  outcome: OutcomeName | undefined;
  onOutcome: (outcome: OutcomeName | undefined) => void;
}

const outcomeChoices = Object.entries(sendOutcomes).map(([value, { word }]) => ({
  value: value as OutcomeName,
  label: word,
}));

/** The history of a connection. */
export function SendsSection({ connection, outcome, onOutcome }: SendsSectionProps) {
  const { id: connectionId } = connection;
  const { tool } = useTool(connection);
  const toolName = tool?.name ?? connection.name;
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
      exported={{ list: 'sends', input: filter }}
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
          <ContactSends
            label="Sent"
            sends={items}
            nameOf={(send) => (isErasure(send) ? 'Erased person' : (send.contact ?? 'A person'))}
            outcomeOf={(send) =>
              isErasure(send) ? erasureOutcome(send, toolName) : sendOutcomes[send.outcome]
            }
          />
        ) : (
          <Skeleton height={220} aria-busy />
        )}
      </ListResult>
      <LoadMore {...sends} />
    </Section>
  );
}

/** The history of an erased person is deleted. Only the erasure itself has a hash in the place of the address. */
const isErasure = ({ contact }: ContactSend): boolean => contact?.startsWith('erased:') === true;

/** "Erased in HubSpot" */
function erasureOutcome({ outcome }: ContactSend, toolName: string): SendOutcome {
  if (outcome === 'done')
    return {
      tone: 'good',
      word: `Erased in ${toolName}`,
      explanation: `${toolName} has accepted the erasure of the person.`,
    };
  const reason = notErasedReasons[outcome];
  if (reason === undefined) return sendOutcomes[outcome];
  return {
    tone: outcome === 'skipped' ? 'warn' : 'bad',
    word: `Not erased in ${toolName}`,
    explanation: reason,
  };
}

/** The outcomes after which the erasure is not tried again. */
const notErasedReasons: Partial<Record<OutcomeName, string>> = {
  skipped: 'No call was made.',
  person_refused: 'The tool refused the erasure. Delete the contact there.',
  expired: 'The erasure waited for 30 days without success and is not tried again. Delete the contact there.',
};
