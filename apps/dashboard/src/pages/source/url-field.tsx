import { Loader, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import { useTRPC } from '../../trpc.ts';

interface UrlFieldProps extends Omit<TextInputProps, 'value' | 'rightSection'> {
  value: string;
}

const pauseMs = 500;
const freshMs = 30_000;

/**
 * The URL of an endpoint. When the typing stops, the service judges it as it does when it is saved, and its reason is shown here.
 * Spread `form.getInputProps('action.url')` into it.
 */
export function UrlField({ error, value, ...props }: UrlFieldProps) {
  const trpc = useTRPC();
  const [url] = useDebouncedValue(value.trim(), pauseMs);
  const check = useQuery(
    trpc.automations.checkUrl.queryOptions(url === '' ? skipToken : { url }, {
      staleTime: freshMs,
      retry: false,
    }),
  );
  const isCurrent = url === value.trim();
  const verdict = isCurrent ? check.data?.data : undefined;
  const refusal = isCurrent && check.error ? failureOf(check.error).issues[0]?.message : undefined;
  const isAccepted = verdict?.ok === true && !error;
  return (
    <TextInput
      label="Endpoint URL"
      description="Receives signed JSON by POST, and must answer with 2xx within 10 seconds."
      placeholder="https://example.com/hooks/webinar"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      {...props}
      value={value}
      error={error || (verdict?.ok === false ? verdict.message : refusal)}
      rightSection={
        check.isFetching ? (
          <Loader size={14} role="img" aria-label="Checking the URL" />
        ) : isAccepted ? (
          <IconCheck
            size={16}
            color="var(--tone-good)"
            aria-label="Webhooks can be sent to this URL"
            role="img"
          />
        ) : null
      }
    />
  );
}
