import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { InteractionType } from '@service/webinars/inputs';
import type { InteractionValues } from './form-values.ts';

interface TextFieldsProps {
  form: UseFormReturnType<InteractionValues>;
  type: InteractionType;
}

/** The name for the team, and the texts of the card. */
export function TextFields({ form, type }: TextFieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="For your team, rules and webhooks. Attendees never see it."
        autoComplete="off"
        maxLength={100}
        data-autofocus
        autoFocus
        {...form.getInputProps('internalName')}
      />
      <TextInput
        label={type === 'poll' ? 'Question' : 'Headline'}
        autoComplete="off"
        maxLength={200}
        {...form.getInputProps('headline')}
      />
      <Textarea label="Text" autosize minRows={2} maxRows={8} {...form.getInputProps('body')} />
    </>
  );
}
