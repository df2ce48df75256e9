import { Button, Select, Text } from '@mantine/core';
import { IconChartBar, IconRefresh } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { formatCount } from '../../../format.ts';
import { formatPosition, formatRange } from '../../../time-text.ts';
import { useTRPC, type SessionAnalytics, type WebinarAnalytics } from '../../../trpc.ts';
import { slotText } from '../registrations/registration-texts.ts';
import { Skeletons } from '../skeletons.tsx';
import { useWebinar } from '../use-webinar.ts';
import { Bars } from './bars.tsx';
import { ChartCard } from './chart-card.tsx';
import { CompareSessions } from './compare-sessions.tsx';
import {
  factsOf,
  interactionColumns,
  interactionRows,
  listedInteractions,
  percentText,
  revenueColumns,
  revenueRows,
  stepsOf,
} from './result-texts.ts';
import styles from './results.module.css';
import { useResultsSearch } from './use-results-search.ts';

// The numbers do not wait for the library of charts.
const CurveChart = lazy(() => import('./curve-chart.tsx'));

const loadingParts = [[44, 320], [190], [260]] as const;

/** The results of a webinar, or of one of its sessions. They are counted when the page opens, and on request. */
export function ResultsTab() {
  const trpc = useTRPC();
  const { webinarId, search } = useResultsSearch();
  const { session: sessionId } = search;
  const ofWebinar = useQuery(trpc.analytics.webinar.queryOptions({ webinarId }));
  const ofSession = useQuery(
    trpc.analytics.session.queryOptions(
      { webinarId, sessionId: sessionId ?? '' },
      { enabled: sessionId !== undefined },
    ),
  );
  const shown = sessionId === undefined ? ofWebinar : ofSession;
  const failed = [shown, ofWebinar].find(({ error, data }) => error && !data);
  if (failed) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  const all = ofWebinar.data?.data;
  const results = shown.data?.data;
  if (!all) return <Skeletons gap="md" parts={loadingParts} />;
  if (all.countedRegistrations === 0) {
    return (
      <EmptyState icon={IconChartBar} title="No results yet">
        From the first registration on, this page shows how many people attended, what they watched, clicked
        and answered, and where they came from.
      </EmptyState>
    );
  }
  return (
    <div className={styles['parts']}>
      <div className={styles['head']}>
        <SessionSelect all={all} />
        <Text size="xs" c="dimmed" component="div">
          {results ? (
            <>
              Counted <RelativeTime at={results.countedAt} />{' '}
            </>
          ) : null}
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconRefresh size={13} />}
            loading={shown.isFetching}
            onClick={() => void shown.refetch()}
          >
            Count again
          </Button>{' '}
          <ShowApiCall
            call={
              sessionId === undefined
                ? { operation: 'GET /webinars/{webinarId}/analytics', params: { webinarId } }
                : {
                    operation: 'GET /webinars/{webinarId}/sessions/{sessionId}/analytics',
                    params: { webinarId, sessionId },
                  }
            }
            of="Results"
          />
        </Text>
      </div>
      {results ? <Results results={results} /> : <Skeletons gap="md" parts={loadingParts} />}
      {sessionId === undefined && all.sessions.length > 1 ? <CompareSessions all={all} /> : null}
    </div>
  );
}

function SessionSelect({ all }: { all: WebinarAnalytics }) {
  const { search, show } = useResultsSearch();
  const timeZone = useWebinar().data?.data.timezone;
  const sessions = all.sessions.map(({ sessionId, startsAt }) => ({
    value: sessionId,
    label: slotText({ startsAt, kind: 'scheduled' }, timeZone),
  }));
  const isListed = sessions.some(({ value }) => value === search.session);
  return (
    <Select
      label="Session"
      w={300}
      maw="100%"
      allowDeselect={false}
      data={[
        { value: 'all', label: 'All sessions' },
        ...sessions,
        ...(search.session && !isListed ? [{ value: search.session, label: 'One session' }] : []),
      ]}
      value={search.session ?? 'all'}
      onChange={(value) => show({ session: value === 'all' || value === null ? undefined : value })}
    />
  );
}

function Results({ results }: { results: SessionAnalytics }) {
  const steps = stepsOf(results);
  const interactions = listedInteractions(results);
  const revenue = revenueRows(results);
  return (
    <>
      {results.isComplete ? null : (
        <Notice tone="info">
          Only the newest {formatCount(results.countedRegistrations)} registrations are counted. The results
          of one session count its own.
        </Notice>
      )}
      <ChartCard
        title="From registration to purchase"
        text="Cancelled registrations count only in the purchases."
        columns={['Step', 'People', 'Percent', 'Of']}
        rows={steps.map(({ name, count, percent, whole }) => [name, count, percent, whole || null])}
      >
        <div className={styles['columns']}>
          <Bars name="Steps" bars={steps} whole={results.registered} />
          <Facts facts={factsOf(results)} />
        </div>
      </ChartCard>
      <CurveCard results={results} />
      {interactions.length > 0 ? (
        <ChartCard
          title="Interactions"
          text="People, each counted once, also in replays. The numbers are those of the curve."
          columns={interactionColumns}
          rows={interactionRows(results)}
        />
      ) : null}
      {interactions
        .filter(({ type }) => type === 'poll')
        .map((poll) => (
          <ChartCard
            key={poll.id}
            title={`Poll: ${poll.internalName}`}
            text={poll.headline}
            columns={['Answer', 'People']}
            rows={poll.options.map(({ label, count }) => [label, count])}
          >
            <Bars
              name={poll.headline}
              bars={poll.options.map(({ label, count }) => ({
                name: label,
                count,
                text: shareOf(count, poll.answered),
              }))}
              whole={poll.answered}
            />
          </ChartCard>
        ))}
      <ChartCard
        title="Sources"
        text={`The utm_source of registrations${results.hasMoreSources ? ', the 20 with the most' : ''}.`}
        columns={['Source', 'Registered', 'Attended']}
        rows={results.sources.map(({ source, registered, attended }) => [source, registered, attended])}
      >
        <Bars
          name="Registrations by source"
          bars={results.sources.map(({ source, registered, attended }) => ({
            name: source ?? 'No source',
            count: registered,
            text: `${formatCount(registered)} registered, ${formatCount(attended)} attended`,
          }))}
        />
      </ChartCard>
      {revenue.length > 0 ? (
        <ChartCard
          title="Revenue"
          text="Purchases minus refunds and chargebacks that are credited to these registrations."
          columns={revenueColumns}
          rows={revenue}
        />
      ) : null}
    </>
  );
}

const shareOf = (count: number, whole: number): string =>
  `${formatCount(count)} (${percentText(whole === 0 ? 0 : Math.round((count / whole) * 1000) / 10)})`;

function CurveCard({ results }: { results: SessionAnalytics }) {
  const { curve } = results;
  if (!curve) {
    return (
      <Notice tone="info">
        An adaptive webinar has no curve, because its attendees see different videos.
      </Notice>
    );
  }
  const { stepSeconds, viewers, dropOffs } = curve;
  const marks = listedInteractions(results).map(({ number, showAtSeconds }) => ({
    number,
    atSeconds: showAtSeconds,
  }));
  return (
    <ChartCard
      title="Viewers along the video"
      text="How many attendees saw each part of the video."
      columns={['Position', 'Viewers']}
      rows={viewers.map((count, point) => [formatPosition(point * stepSeconds), count])}
    >
      <Suspense fallback={<Skeletons parts={[[260]]} />}>
        <CurveChart curves={[{ name: 'Viewers', values: viewers }]} stepSeconds={stepSeconds} marks={marks} />
      </Suspense>
      {dropOffs.length > 0 ? (
        <p className={styles['drops']}>
          Most attendees left at{' '}
          {dropOffs
            .map(
              ({ fromSeconds, toSeconds, viewersLost }) =>
                `${formatRange(fromSeconds, toSeconds)} (${formatCount(viewersLost)})`,
            )
            .join(', ')}
          .
        </p>
      ) : null}
    </ChartCard>
  );
}
