import '../../../components/choices.css';
import { Group, NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PositionField } from '../../../components/number-field.tsx';
import type { BranchValues } from './branch-values.ts';

/** The fields that only a choice has. */
export function ChoiceFields({ form }: { form: UseFormReturnType<BranchValues> }) {
  return (
    <>
      <TextInput
        label="Question"
        placeholder="What would you like to see next?"
        maxLength={500}
        autoComplete="off"
        {...form.getInputProps('promptText')}
      />
      <Group gap="sm" align="flex-start" grow>
        <PositionField
          label="Offered from"
          description="A time in its segment"
          placeholder="At the end"
          {...form.getInputProps('promptAtSeconds')}
        />
        <NumberInput
          label="Seconds to choose"
          description="After the end, 1 to 300"
          min={1}
          max={300}
          allowDecimal={false}
          {...form.getInputProps('choiceTimeoutSeconds')}
        />
      </Group>
    </>
  );
}
