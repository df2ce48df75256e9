import { Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts, type Fact } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { CutText, TableCard } from '../../../components/table-card.tsx';
import { formatCount } from '../../../format.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Interaction } from '../../../trpc.ts';
import styles from './interaction-panel.module.css';
import { shareText } from './interaction-texts.ts';

/** The numbers of an interaction over all sessions, and each response. */
export function InteractionResults({ interaction }: { interaction: Interaction }) {
  const trpc = useTRPC();
  const { webinarId, id: interactionId } = interaction;
  const { data, error, refetch } = useQuery(trpc.responses.stats.queryOptions({ webinarId, interactionId }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} aria-busy />;
  const stats = data.data;
  const isPoll = interaction.type === 'poll';
  const share = shareText(stats.uniqueClickers, stats.views);
  const people = formatCount(stats.uniqueClickers);
  const verb = interaction.type === 'handout' ? 'Downloaded' : 'Clicked';
  const facts: Fact[] = isPoll
    ? [['Answers', formatCount(stats.responses)]]
    : [
        [`${verb} by`, share ? `${people} (${share} of those who saw it)` : people],
        [`${interaction.type === 'handout' ? 'Downloads' : 'Clicks'} in total`, formatCount(stats.clicks)],
      ];
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Facts facts={[['Seen by', formatCount(stats.views)], ...facts]} />
        <ShowApiCall
          call={{
            operation: 'GET /webinars/{webinarId}/interactions/{interactionId}/stats',
            params: { webinarId, interactionId },
          }}
          of="Results"
        />
      </Group>
      {isPoll ? <PollBars options={stats.options} /> : null}
      <Respondents interaction={interaction} />
    </Stack>
  );
}

function Respondents({ interaction }: { interaction: Interaction }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { webinarId, id: interactionId, type } = interaction;
  const { items, error, refetch, ...more } = usePaged({
    queryKey: [...trpc.responses.listRespondents.pathKey(), webinarId, interactionId],
    fetchPage: (page, signal) =>
      client.responses.listRespondents.query({ webinarId, interactionId, ...page }, { signal }),
  });
  const isPoll = type === 'poll';
  if (error && !items) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Section
      title={isPoll ? 'Answers' : 'Responses'}
      text="Newest first, over all sessions."
      apiCall={{
        operation: 'GET /webinars/{webinarId}/interactions/{interactionId}/responses',
        params: { webinarId, interactionId },
      }}
    >
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing yet. {isPoll ? 'Answers' : 'Clicks'} appear here as soon as attendees respond.
        </Text>
      ) : (
        <TableCard name="Responses" columns={['Attendee', isPoll ? 'Answer' : 'Did', 'When']} minWidth={340}>
          {items?.map((response) => (
            <Table.Tr key={response.id}>
              <Table.Td maw={240}>
                <Text inherit fw={550} truncate title={response.name ?? undefined}>
                  {response.name ?? 'Deleted registration'}
                </Text>
                <CutText text={response.email ?? undefined} isSmall />
              </Table.Td>
              <Table.Td maw={200}>
                <CutText text={response.selectedOption ?? undefined}>
                  {isPoll
                    ? (response.selectedOption ?? 'A removed answer')
                    : type === 'handout'
                      ? 'Downloaded'
                      : 'Clicked'}
                </CutText>
              </Table.Td>
              <Table.Td>
                <RelativeTime at={response.answeredAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      )}
      <LoadMore {...more} />
    </Section>
  );
}

/** The answers of a poll as bars. The share is of all answers to these options. */
function PollBars({ options }: { options: readonly { id: string; label: string; count: number }[] }) {
  const total = options.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className={styles['bars']} aria-label="Answers by option">
      {options.map(({ id, label, count }) => {
        const percent = total === 0 ? 0 : Math.round((count / total) * 100);
        return (
          <li key={id}>
            <div className={styles['words']}>
              <span className={styles['label']}>{label}</span>
              <span className={styles['count']}>
                {formatCount(count)} ({percent} %)
              </span>
            </div>
            <div className={styles['track']} aria-hidden>
              <div style={{ width: `${percent}%` }} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
