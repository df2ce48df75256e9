import { Skeleton, Table, Text } from '@mantine/core';
import { skipReasons } from '@service/catalogue';
import { IconTimeline } from '@service/icons';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { formatPlural } from '../../../format.ts';
import styles from './automations.module.css';
import { useExecutions, type ExecutionFilter, type NamedExecution } from './use-executions.ts';

// The list does not wait for the conditions of one execution.
const ExecutionDetails = lazy(async () => ({
  default: (await import('./execution-details.tsx')).ExecutionDetails,
}));

interface ExecutionListProps extends ExecutionFilter {
  webinarId: string;
  /** The execution whose details are open, where the URL keeps it. */
  openId?: string | undefined;
  onOpen?: ((executionId: string | undefined) => void) | undefined;
  /** Shown instead of the list while it is empty. */
  empty?: ReactNode;
}

/** Every evaluation of a rule: whether it fired, and why not. Without `registrationId` it names the attendees. */
export function ExecutionList({ webinarId, openId, onOpen, empty, ...filter }: ExecutionListProps) {
  const executions = useExecutions(webinarId, filter);
  const [ownId, setOwnId] = useState<string>();
  const open = onOpen ? openId : ownId;
  const { items, error } = executions;
  if (error && !items) return <FailureNotice error={error} onRetry={() => void executions.refetch()} />;
  if (items?.length === 0 && !executions.hasNextPage) return empty ?? <NoExecutions />;
  const isOfOne = filter.registrationId !== undefined;
  const columns = ['When', 'Outcome', 'Rule', ...(isOfOne ? [] : ['Attendee']), 'Event'];
  const rows = items?.flatMap((execution) => toRows(execution, execution.id === open));
  const renderRow = ({ id, execution, isDetails }: ExecutionListRow) =>
    isDetails ? (
      <Table.Tr key={id}>
        <Table.Td colSpan={columns.length}>
          <div className={styles['details']}>
            <Suspense fallback={<Skeleton height={120} aria-busy />}>
              <ExecutionDetails webinarId={webinarId} execution={execution} />
            </Suspense>
          </div>
        </Table.Td>
      </Table.Tr>
    ) : (
      <ExecutionRow
        key={id}
        execution={execution}
        isOfOne={isOfOne}
        isOpen={id === open}
        onToggle={() => (onOpen ?? setOwnId)(id === open ? undefined : id)}
      />
    );
  return (
    <>
      <TableCard
        name="Executions"
        columns={columns}
        minWidth={isOfOne ? 560 : 760}
        // Those of one attendee are also in a drawer, whose rows do not scroll with the window.
        {...(isOfOne
          ? { children: rows?.map(renderRow) }
          : { rows, renderRow, onVisibleRows: executions.onVisibleRows })}
        total={
          items && `${formatPlural(items.length, 'execution')}${executions.hasNextPage ? ' loaded' : ''}`
        }
      />
      {executions.hasNextPage && items && items.length < 10 ? (
        <Text size="xs" c="dimmed" mt={6}>
          Few of the newest executions match. Load more to search the earlier ones.
        </Text>
      ) : null}
      <LoadMore {...executions} />
    </>
  );
}

interface ExecutionListRow {
  id: string;
  execution: NamedExecution;
  isDetails: boolean;
}

/** The details of an open execution are a row of their own, because long tables measure each row. */
const toRows = (execution: NamedExecution, isOpen: boolean): ExecutionListRow[] => [
  { id: execution.id, execution, isDetails: false },
  ...(isOpen ? [{ id: `${execution.id} details`, execution, isDetails: true }] : []),
];

interface ExecutionRowProps {
  execution: NamedExecution;
  isOfOne: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

function ExecutionRow({ execution, isOfOne, isOpen, onToggle }: ExecutionRowProps) {
  const { ruleName, attendee, eventType, outcome, skipReason, createdAt } = execution;
  const hasFired = outcome === 'matched';
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <Status tone={hasFired ? 'good' : 'quiet'} isHollow={!hasFired}>
          {hasFired || skipReason === null ? 'Fired' : skipReasons[skipReason].title}
        </Status>
      </Table.Td>
      <Table.Td className={styles['rule']}>
        <button type="button" className={styles['toggle']} aria-expanded={isOpen} onClick={onToggle}>
          {ruleName}
        </button>
      </Table.Td>
      {isOfOne ? null : (
        <Table.Td className={styles['attendee']}>
          {attendee ? (
            <>
              {attendee.name}
              <Text size="xs" c="dimmed">
                {attendee.email}
              </Text>
            </>
          ) : (
            <Text span inherit c="dimmed">
              Deleted
            </Text>
          )}
        </Table.Td>
      )}
      <Table.Td>
        <code>{eventType}</code>
      </Table.Td>
    </Table.Tr>
  );
}

const NoExecutions = () => (
  <EmptyState icon={IconTimeline} title="No executions">
    Each time something happens that a rule waits for, its evaluation is listed here: whether it fired, and
    each condition with the value that the attendee had.
  </EmptyState>
);
