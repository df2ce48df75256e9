import '../../../components/choices.css';
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Question } from '../../../components/dialog-form.tsx';
import { formatPlural } from '../../../format.ts';
import { useTRPC, useTRPCClient, type Interaction, type Rule } from '../../../trpc.ts';
import { useRules } from '../../source/use-sources.ts';
import { useInvalidation } from '../use-invalidation.ts';

interface DeleteInteractionProps {
  interaction: Interaction;
  onClose: () => void;
}

/** Asks before an interaction is deleted. */
export function DeleteInteraction({ interaction, onClose }: DeleteInteractionProps) {
  const trpc = useTRPC();
  const { interactions } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.interactions]);
  const { webinarId, id: interactionId, type } = interaction;
  const params = { webinarId, interactionId };
  const stats = useQuery(trpc.responses.stats.queryOptions(params)).data?.data;
  const rules = useRules(webinarId).data?.data.filter((rule) => isNamedIn(rule, interactionId)) ?? [];
  const responses =
    type === 'poll'
      ? formatPlural(stats?.responses ?? 0, 'answer')
      : formatPlural(stats?.clicks ?? 0, 'click');
  return (
    <Question
      text={
        <>
          Attendees do not see it any more, also in replays.{' '}
          {stats
            ? `Its ${responses} stay in the timelines of the attendees, but its results page goes.`
            : null}{' '}
          This cannot be undone. To hide it for now, switch it off instead.
        </>
      }
      confirm={`Delete ${type === 'cta' ? 'CTA' : type}`}
      apiCall={{ operation: 'DELETE /webinars/{webinarId}/interactions/{interactionId}', params }}
      act={() => interactions.delete.mutate(params)}
      changed={changed}
      onClose={onClose}
    >
      {rules.length > 0 ? (
        <div>
          <Text size="sm">
            {rules.length === 1 ? 'A rule names it' : `${rules.length} rules name it`} and will not fire for
            it any more:
          </Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {rules.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
        </div>
      ) : null}
    </Question>
  );
}

/** True if the trigger or a condition of the rule has the interaction's id. */
const isNamedIn = ({ trigger, conditions }: Rule, interactionId: string): boolean =>
  JSON.stringify([trigger, conditions]).includes(interactionId);
