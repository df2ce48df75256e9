import type { UseFormReturnType } from '@mantine/form';
import type { InteractionType } from '@service/webinars/inputs';
import { useQueryClient } from '@tanstack/react-query';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPC, useTRPCClient, type Interaction } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';
import { toBody, toValues, type InteractionValues } from './form-values.ts';

interface SaveOptions {
  /** Of the draft. */
  name: string;
  form: UseFormReturnType<InteractionValues>;
  type: InteractionType;
  /** Absent for a new one. */
  stored: Interaction | undefined;
  onSaved: () => void;
}

/** Creates or changes an interaction. */
export function useSaveInteraction({ name, form, type, stored, onSaved }: SaveOptions) {
  const trpc = useTRPC();
  const { interactions } = useTRPCClient();
  const queryClient = useQueryClient();
  const webinarId = useWebinarId();
  return usePanelSave({
    name,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: (values: InteractionValues) => toBody(type, values),
    create: (body) => interactions.create.mutate({ webinarId, type, ...body }),
    update: (changes, context) =>
      interactions.update.mutate({ webinarId, interactionId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await queryClient.invalidateQueries(trpc.interactions.pathFilter());
      onSaved();
    },
  });
}

/** The values of the comparison that are no texts. */
export function describeInteraction(path: string, value: unknown): string | undefined {
  if (path === 'options') return (value as InteractionValues['options']).map(({ label }) => label).join(', ');
  if (path !== 'showWhen') return undefined;
  const { length } = value as InteractionValues['showWhen'];
  return length === 0 ? 'everyone' : `attendees who meet ${length} condition${length === 1 ? '' : 's'}`;
}
