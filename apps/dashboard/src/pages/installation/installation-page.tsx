import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Facts } from '../../components/facts.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount, formatDuration, formatPlural } from '../../format.ts';
import { useRetention } from '../../retention.ts';
import { useTRPC } from '../../trpc.ts';
import { waitingText as waitingMailsText, WaitingWarning } from '../settings/email/counts-section.tsx';
import { storedText, UsageWarning, useDeliveryUsage, waitingText } from '../webhooks/usage-summary.tsx';

const missing = '…';

/** Settings of the operator. The only page with names of environment variables. */
export function InstallationPage() {
  const trpc = useTRPC();
  const constant = { staleTime: Infinity };
  const policy = useQuery(trpc.automations.destinationPolicy.queryOptions(undefined, constant));
  const limits = useQuery(trpc.keys.limits.queryOptions(undefined, constant));
  const retention = useRetention();
  const usage = useDeliveryUsage();
  const mails = useQuery(trpc.mails.counts.queryOptions({ days: 1 }));
  const { allowHttp = false, allowedCidrs = [], retryScheduleSeconds = [] } = policy.data?.data ?? {};
  const error = policy.error ?? limits.error ?? usage.error ?? mails.error;
  return (
    <Page
      title="Installation"
      description="What this installation of the service allows. Its operator changes it with environment variables and a restart."
    >
      {error ? <FailureNotice error={error} onRetry={() => void policy.refetch()} /> : null}
      <Section title="Webhooks" text="Addresses that endpoints may have, and the tries of a delivery.">
        <Stack gap="sm">
          {allowHttp || allowedCidrs.length > 0 ? (
            <Notice tone="warn">
              <Text size="sm">
                Endpoints may be on this machine or in a private network, so that you can test on your own
                machine. Switch that off in production.
              </Text>
            </Notice>
          ) : null}
          <Facts
            facts={[
              [
                'Plain http',
                setting(policy.data && (allowHttp ? 'Allowed' : 'Refused'), 'WEBHOOK_ALLOW_HTTP'),
              ],
              [
                'Private addresses',
                setting(policy.data && (allowedCidrs.join(', ') || 'Refused'), 'WEBHOOK_ALLOWED_CIDRS'),
              ],
              [
                'Tries of a delivery',
                setting(policy.data && scheduleText(retryScheduleSeconds), 'WEBHOOK_RETRY_SCHEDULE_SECONDS'),
              ],
            ]}
          />
        </Stack>
      </Section>
      <Section
        title="Deliveries"
        text="Limits of a workspace, and what it uses. Beyond them new rules, new subscriptions and bulk registrations are refused, and new deliveries are not sent."
      >
        <Stack gap="sm">
          {usage.data ? <UsageWarning usage={usage.data.data} /> : null}
          <Facts
            facts={[
              [
                'Waiting deliveries',
                setting(usage.data && waitingText(usage.data.data), 'DELIVERY_BACKLOG_MAX'),
              ],
              [
                'Stored deliveries',
                setting(usage.data && storedText(usage.data.data), 'DELIVERY_STORAGE_MAX_MB'),
              ],
            ]}
          />
        </Stack>
      </Section>
      <Section
        title="E-mails"
        text="The limit of a workspace, and what it uses. Beyond it new e-mails end at once as failed, and registrations are never refused."
      >
        {mails.data ? <WaitingWarning counts={mails.data.data} /> : null}
        <Facts
          facts={[
            ['Waiting e-mails', setting(mails.data && waitingMailsText(mails.data.data), 'MAIL_BACKLOG_MAX')],
          ]}
        />
      </Section>
      <Section title="API" text="The limit of a workspace, over all its keys, REST and MCP together.">
        <Facts
          facts={[
            [
              'Requests',
              setting(
                limits.data &&
                  `${formatCount(limits.data.data.requests)} in ${limits.data.data.windowSeconds} s`,
                'API_RATE_LIMIT, API_RATE_WINDOW_SECONDS',
              ),
            ],
          ]}
        />
      </Section>
      <Section title="Retention" text="Older rows are deleted once a day.">
        <Facts
          facts={[
            ['Activity, executions, deliveries', setting(retention?.history, 'RETENTION_DAYS')],
            ['Bodies of deliveries', setting(retention?.bodies, 'BODY_RETENTION_DAYS')],
            ['Events of attendees', setting(retention?.events, 'EVENT_RETENTION_DAYS')],
          ]}
        />
      </Section>
    </Page>
  );
}

const setting = (value: string | undefined, variable: string): ReactNode => (
  <>
    {value ?? missing}{' '}
    <Text span size="xs" c="dimmed">
      <code>{variable}</code>
    </Text>
  </>
);

/** "11 tries over 75 h 35 min" */
function scheduleText(seconds: readonly number[]): string {
  const tries = formatPlural(seconds.length, 'try').replace('trys', 'tries');
  return `${tries} over ${formatDuration(seconds.reduce((sum, wait) => sum + wait, 0))}`;
}
