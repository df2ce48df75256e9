import { Loader, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@service/icons';
import { skipToken, useQuery } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import { useTRPC } from '../../trpc.ts';
import { verbOf, waitingText } from './recovery-text.ts';
import type { SourceRef } from './source.ts';
import { useWaiting } from './use-source.ts';

interface UrlFieldProps extends Omit<TextInputProps, 'value' | 'rightSection'> {
  value: string;
  /** The endpoint that has another URL until the form is saved. Undefined for a new one. */
  stored?: (SourceRef & { url: string }) | undefined;
}

const pauseMs = 500;
const freshMs = 30_000;

/**
 * The URL of an endpoint. When the typing stops, the service judges it as it does when it is saved, and its reason is shown here.
 * Spread `form.getInputProps('action.url')` into it.
 */
export function UrlField({ error, value, stored, ...props }: UrlFieldProps) {
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
  // The root is the same with and without the text, or the field would lose the focus at the first key.
  return (
    <div>
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
      {stored && value.trim() !== stored.url ? <MovedText source={stored} /> : null}
    </div>
  );
}

/** The deliveries that a new URL concerns. Empty until their count is known. */
function MovedText({ source }: { source: SourceRef }) {
  const count = useWaiting(source)?.count;
  return (
    <Text size="xs" mt={4} aria-live="polite">
      {count === undefined ? null : count === 0 ? (
        'Nothing waits. New deliveries go to the new URL.'
      ) : (
        <>
          <b>
            {waitingText(count)} {verbOf(count)}
          </b>{' '}
          and {count === 1 ? 'goes' : 'go'} to the new URL after you save.
        </>
      )}
    </Text>
  );
}
