import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ApiCall } from '../../../api-call.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/dialog-form.tsx';
import { SessionTimeField } from '../../../components/session-time-field.tsx';
import { failureOf } from '../../../failure.ts';
import { zonedTimeToInstant } from '../../../zoned-time.ts';

interface StartFormProps {
  /** The value of a `datetime-local` input, in the webinar's zone. */
  initial: string;
  timeZone: string;
  submit: string;
  isPending: boolean;
  error: unknown;
  /** The call for a start, an instant in ISO 8601. */
  apiCallOf: (startsAt: string | null) => ApiCall;
  /** An instant, ISO 8601. */
  onSubmit: (startsAt: string) => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The form of a session's start. The reasons of the API are shown at the field. */
export function StartForm({
  initial,
  timeZone,
  submit,
  isPending,
  error,
  apiCallOf,
  onSubmit,
  onCancel,
  children,
}: StartFormProps) {
  const [value, setValue] = useState(initial);
  const [refusal, setRefusal] = useState<string>();
  // The refusal of the API belongs to the time that was sent.
  const [sent, setSent] = useState<string>();
  const ofService = error && sent === value ? startProblem(error) : undefined;
  const startsAt = value === '' ? null : zonedTimeToInstant(value, timeZone);
  const send = () => {
    const problem = startsAt === null ? 'Enter a date and a time.' : pastProblem(startsAt);
    setRefusal(problem);
    if (startsAt === null || problem !== undefined) return;
    setSent(value);
    onSubmit(startsAt);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{children}</Text>
        <SessionTimeField
          label="Starts at"
          timeZone={timeZone}
          value={value}
          onChange={(next) => {
            setValue(next);
            setRefusal(undefined);
          }}
          error={refusal ?? ofService}
        />
        {error && ofService === undefined && sent === value ? <FailureNotice error={error} /> : null}
        <FormActions
          submit={submit}
          isPending={isPending}
          apiCall={apiCallOf(startsAt)}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

const pastProblem = (startsAt: string): string | undefined =>
  Date.parse(startsAt) <= Date.now() ? 'Must be in the future.' : undefined;

/** The message for the field, when the API refused the time. */
function startProblem(error: unknown): string | undefined {
  const { code, message, issues } = failureOf(error);
  if (code === 'session_exists') return message;
  return issues.find(({ path }) => path === 'startsAt')?.message;
}
