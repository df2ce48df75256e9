import { useQuery } from '@tanstack/react-query';
import { useTRPC, type Rule, type TriggerForm } from '../../../trpc.ts';

export type EventType = Rule['trigger']['type'];

/** The triggers of the service, each with the params that a rule form asks for. Undefined until they are loaded. */
export function useTriggers({ enabled = true } = {}): readonly TriggerForm[] | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.automations.triggerForms.queryOptions(undefined, { enabled, staleTime: 'static' }),
  );
  return data?.data;
}

/** The text of a trigger, such as "An attendee joins". Its identifier until the texts are loaded. */
export function useTriggerText(): (type: EventType) => string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.automations.triggerTexts.queryOptions(undefined, { staleTime: 'static' }));
  return (type) => data?.data.find((trigger) => trigger.type === type)?.when ?? type;
}
