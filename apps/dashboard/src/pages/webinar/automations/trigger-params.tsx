import { NumberInput, Select, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTRPC, type TriggerForm } from '../../../trpc.ts';
import type { EventType } from './use-triggers.ts';
import { useWebinarId } from '../use-webinar.ts';

type Param = TriggerForm['params'][number];

export interface RuleValues {
  name: string;
  trigger: { type: EventType; params: Record<string, unknown> };
  action: { url: string };
}

type RuleForm = UseFormReturnType<RuleValues>;

/** The path of a param in the input of the service, which is also its path in the form. */
export const paramPath = (name: string): string => `trigger.params.${name}`;

/** The params that a form begins with. */
export const initialParams = ({ params }: TriggerForm): Record<string, unknown> =>
  Object.fromEntries(params.map(({ name, default: initial }) => [name, initial ?? undefined]));

/** The params that are given. A field that was emptied is left out. */
export const givenParams = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).filter(
      ([, value]) =>
        value !== undefined &&
        value !== null &&
        value !== '' &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );

/** A field for each param of a trigger. */
export function TriggerParams({ form, trigger }: { form: RuleForm; trigger: TriggerForm }) {
  return trigger.params.map((param) => {
    const { label, help: description, isRequired: withAsterisk } = param;
    const { value = null, ...input } = form.getInputProps(paramPath(param.name));
    const Field = fieldByControl[param.control];
    return (
      <Field
        key={param.name}
        param={param}
        form={form}
        input={{ label, description, withAsterisk, value, ...input }}
      />
    );
  });
}

interface FieldProps {
  param: Param;
  form: RuleForm;
  input: ReturnType<RuleForm['getInputProps']> & {
    label: string;
    description: string | null;
    withAsterisk: boolean;
  };
}

const fieldByControl: Record<Param['control'], ComponentType<FieldProps>> = {
  number: ({ input, param: { minimum, maximum } }) => (
    <NumberInput
      {...input}
      value={input.value ?? ''}
      min={minimum ?? undefined}
      max={maximum ?? undefined}
      allowDecimal={false}
    />
  ),
  texts: ({ input }) => <TagsInput {...input} value={input.value ?? []} />,
  choice: ({ input, param: { choices, isRequired, default: initial } }) => (
    <Select {...input} data={choices} clearable={!isRequired && initial === null} />
  ),
  interaction: InteractionSelect,
  poll_option: OptionSelect,
  branch: BranchSelect,
  segment: SegmentSelect,
};

/** A webinar has at most 200 interactions, and hardly ever more than 100. */
const shownMax = 100;

function useInteractions() {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  return useQuery(trpc.interactions.list.queryOptions({ webinarId, limit: shownMax })).data?.data ?? [];
}

function InteractionSelect({ input, param }: FieldProps) {
  const interactions = useInteractions().filter(({ type }) => param.interactionTypes.includes(type));
  const data = interactions.map(({ id, internalName }) => ({ value: id, label: internalName }));
  return <Select {...input} data={data} placeholder="Any" clearable searchable />;
}

function OptionSelect({ input, form }: FieldProps) {
  const poll = useInteractions().find(({ id }) => id === form.values.trigger.params['interactionId']);
  const data = poll?.type === 'poll' ? poll.options.map(({ id, label }) => ({ value: id, label })) : [];
  return <Select {...input} data={data} placeholder="Any" clearable disabled={!poll} />;
}

function BranchSelect({ input }: FieldProps) {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const { data } = useQuery(trpc.segments.branches.list.queryOptions({ webinarId, limit: shownMax }));
  const branches = data?.data.map(({ id, label }) => ({ value: id, label })) ?? [];
  return <Select {...input} data={branches} placeholder="Any" clearable searchable />;
}

function SegmentSelect({ input }: FieldProps) {
  const trpc = useTRPC();
  const webinarId = useWebinarId();
  const { data } = useQuery(trpc.segments.list.queryOptions({ webinarId, limit: shownMax }));
  const segments = data?.data.map(({ id, title }) => ({ value: id, label: title })) ?? [];
  return <Select {...input} data={segments} placeholder="Any" clearable searchable />;
}
