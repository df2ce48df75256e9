import { Box, Checkbox, Table } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import '../../../components/choices.css';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { formatCount } from '../../../format.ts';
import { formatPosition } from '../../../time-text.ts';
import { useTRPC, type WebinarAnalytics } from '../../../trpc.ts';
import { slotText } from '../registrations/registration-texts.ts';
import { Skeletons } from '../skeletons.tsx';
import { useWebinar } from '../use-webinar.ts';
import { ChartCard } from './chart-card.tsx';
import { percentText, toShares } from './result-texts.ts';
import { useResultsSearch } from './use-results-search.ts';

const CurveChart = lazy(() => import('./curve-chart.tsx'));

const comparedMax = 3;

/** The numbers of each session, and the curves of those that are chosen. */
export function CompareSessions({ all }: { all: WebinarAnalytics }) {
  const { search, show } = useResultsSearch();
  const timeZone = useWebinar().data?.data.timezone;
  const chosen = search.compare ?? [];
  const choose = (id: string, isChosen: boolean) => {
    const compare = isChosen ? [...chosen, id] : chosen.filter((other) => other !== id);
    show({ compare: compare.length === 0 ? undefined : compare });
  };
  return (
    <Section
      title="Compare sessions"
      text={`Choose up to ${comparedMax} to see their curves.${
        all.hasMoreSessions ? ' Here are the 50 sessions with the most registrations.' : ''
      }`}
    >
      {all.curve && chosen.length > 0 ? (
        <Box mb="lg">
          <Curves ids={chosen} all={all} />
        </Box>
      ) : null}
      <TableCard
        name="Sessions"
        columns={['Session', 'Registered', 'Attended', 'Watched', 'Completed', 'Clicked']}
        minWidth={680}
      >
        {all.sessions.map((session) => {
          const isChosen = chosen.includes(session.sessionId);
          return (
            <Table.Tr key={session.sessionId}>
              <Table.Td>
                <Checkbox
                  label={<SessionTime at={session.startsAt} timeZone={timeZone} />}
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= comparedMax}
                  onChange={(event) => choose(session.sessionId, event.currentTarget.checked)}
                />
              </Table.Td>
              <Table.Td>{formatCount(session.registered)}</Table.Td>
              <Table.Td>
                {formatCount(session.attended)} ({percentText(session.attendancePercent)})
              </Table.Td>
              <Table.Td>{percentText(session.averageWatchedPercent)}</Table.Td>
              <Table.Td>{percentText(session.completionPercent)}</Table.Td>
              <Table.Td>{percentText(session.clickPercent)}</Table.Td>
            </Table.Tr>
          );
        })}
      </TableCard>
    </Section>
  );
}

function Curves({ ids, all }: { ids: readonly string[]; all: WebinarAnalytics }) {
  const trpc = useTRPC();
  const { webinarId } = useResultsSearch();
  const timeZone = useWebinar().data?.data.timezone;
  const queries = useQueries({
    queries: ids.map((sessionId) => trpc.analytics.session.queryOptions({ webinarId, sessionId })),
  });
  const failed = queries.filter((query) => query.isLoadingError);
  if (failed[0]) {
    return (
      <FailureNotice
        error={failed[0].error}
        onRetry={() => void Promise.all(failed.map((query) => query.refetch()))}
      />
    );
  }
  const found = queries.flatMap(({ data }) => data?.data ?? []);
  if (found.length < ids.length) return <Skeletons parts={[[260]]} />;
  const stepSeconds = all.curve!.stepSeconds;
  const curves = found.map((results) => {
    const startsAt = all.sessions.find(({ sessionId }) => sessionId === results.sessionId)?.startsAt;
    const name = startsAt ? slotText({ startsAt, kind: 'scheduled' }, timeZone) : 'One session';
    return { name, values: toShares(results) };
  });
  return (
    <ChartCard
      title="Viewers of the chosen sessions"
      text="In percent of those who joined."
      columns={['Position', ...curves.map(({ name }) => name)]}
      rows={all.curve!.viewers.map((_viewers, point) => [
        formatPosition(point * stepSeconds),
        ...curves.map(({ values }) => values[point] ?? null),
      ])}
    >
      <Suspense fallback={<Skeletons parts={[[260]]} />}>
        <CurveChart curves={curves} stepSeconds={stepSeconds} marks={[]} unit=" %" />
      </Suspense>
    </ChartCard>
  );
}
