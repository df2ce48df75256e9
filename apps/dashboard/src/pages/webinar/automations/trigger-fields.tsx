import '../../../components/choices.css';
import { NumberInput, Select, TagsInput, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ComponentType } from 'react';
import type { WebinarRecords } from '../../../components/conditions/use-names.ts';
import { SearchSelect } from '../../../components/search-select.tsx';
import type { TriggerForm } from '../../../trpc.ts';
import { paramPath, type RuleValues } from './rule-values.ts';

interface TriggerSelectProps {
  triggers: readonly TriggerForm[];
  value: TriggerForm['type'];
  onChange: (trigger: TriggerForm) => void;
}

/** All triggers of the service, in groups. The search also finds words of the descriptions. */
export function TriggerSelect({ triggers, value, onChange }: TriggerSelectProps) {
  const groups = Map.groupBy(triggers, ({ group }) => group);
  const descriptionOf = (type: string) => triggers.find((one) => one.type === type)?.description ?? '';
  return (
    <SearchSelect
      label="Trigger"
      description={descriptionOf(value)}
      maxDropdownHeight={360}
      nothingFoundMessage="No such trigger"
      data={[...groups].map(([group, items]) => ({
        group,
        items: items.map(({ type, when }) => ({ value: type, label: when })),
      }))}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <Text size="xs" c="dimmed">
            {descriptionOf(option.value)}
          </Text>
        </div>
      )}
      textOf={({ value: type, label }) => `${label} ${type} ${descriptionOf(type)}`}
      value={value}
      onChange={(chosen) => {
        const next = triggers.find(({ type }) => type === chosen);
        if (next) onChange(next);
      }}
    />
  );
}

type Param = TriggerForm['params'][number];

type RuleForm = UseFormReturnType<RuleValues>;

interface TriggerParamsProps {
  form: RuleForm;
  trigger: TriggerForm;
  records: WebinarRecords;
}

/** A field for each param of a trigger. */
export function TriggerParams({ form, trigger, records }: TriggerParamsProps) {
  return trigger.params.map((param) => {
    const { label, help: description, isRequired: withAsterisk } = param;
    const { value = null, ...input } = form.getInputProps(paramPath(param.name));
    const Field = fieldByControl[param.control];
    return (
      <Field
        key={param.name}
        param={param}
        form={form}
        records={records}
        input={{ label, description, withAsterisk, value, ...input }}
      />
    );
  });
}

interface FieldProps {
  param: Param;
  form: RuleForm;
  records: WebinarRecords;
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
  texts: ({ input }) => (
    <TagsInput {...input} value={input.value ?? []} acceptValueOnBlur placeholder="Type a word, then Enter" />
  ),
  choice: ({ input, param: { choices, isRequired, default: initial } }) => (
    <Select {...input} data={choices} clearable={!isRequired && initial === null} />
  ),
  interaction: ({ input, param: { interactionTypes }, records: { interactions } }) => (
    <RecordSelect
      input={input}
      records={interactions
        ?.filter(({ type }) => interactionTypes.includes(type))
        .map(({ id, internalName }) => ({ value: id, label: internalName }))}
      missing="A deleted interaction"
    />
  ),
  poll_option: OptionSelect,
  branch: ({ input, records: { branches } }) => (
    <RecordSelect
      input={input}
      records={branches?.map(({ id, label }) => ({ value: id, label }))}
      missing="A deleted branch"
    />
  ),
  segment: ({ input, records: { segments } }) => (
    <RecordSelect
      input={input}
      records={segments?.map(({ id, title }) => ({ value: id, label: title }))}
      missing="A deleted segment"
    />
  ),
};

interface RecordSelectProps {
  input: FieldProps['input'];
  /** Undefined while they are loading. */
  records: readonly { value: string; label: string }[] | undefined;
  /** The name of a chosen record that is no longer there. */
  missing: string;
  isDisabled?: boolean;
}

/** A choice of one record. Without one, the rule takes any. A deleted record that is chosen stays in the list. */
function RecordSelect({ input, records, missing, isDisabled = false }: RecordSelectProps) {
  const { value } = input;
  const isGone = typeof value === 'string' && records?.some((record) => record.value === value) === false;
  const data = [...(records ?? []), ...(isGone ? [{ value, label: missing }] : [])];
  return <SearchSelect {...input} data={data} placeholder="Any" clearable disabled={isDisabled} />;
}

function OptionSelect({ input, form, records }: FieldProps) {
  const poll = records.interactions?.find(({ id }) => id === form.values.trigger.params['interactionId']);
  const options = poll?.type === 'poll' ? poll.options : [];
  return (
    <RecordSelect
      input={input}
      records={options.map(({ id, label }) => ({ value: id, label }))}
      missing="A deleted option"
      isDisabled={!poll}
    />
  );
}
