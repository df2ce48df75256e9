import '../../../components/choices.css';
import { Group, Loader, Progress, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { AmountCell, AmountHead, CutText, TableCard } from '../../../components/table-card.tsx';
import { formatCount, formatDate, formatPlural } from '../../../format.ts';
import { formatMoney } from '../../../money.ts';
import { useTRPC, type RevenueWindow, type WindowPreview as Preview } from '../../../trpc.ts';
import { levelTexts } from '../../revenue/revenue-texts.ts';
import styles from './window-section.module.css';

/** The purchases that another window would credit in another way. */
export function WindowPreview({ windowDays }: Pick<RevenueWindow, 'windowDays'>) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenueWindow.preview.queryOptions({ windowDays }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles['preview']} aria-busy>
        <Loader size={14} mr={8} /> Comparing…
      </div>
    );
  }
  const { compared, comparedSince, totals, moves, moreMoves } = data.data;
  const moved = totals.reduce((sum, { purchases }) => sum + purchases, 0);
  return (
    <section aria-label="Preview" aria-live="polite">
      <div className={styles['preview']}>
        {moved === 0
          ? `No credit would move: ${formatPlural(compared, 'purchase')} compared.`
          : `${formatCount(moved)} of ${formatPlural(compared, 'purchase')} would get another credit: ${totals.map(totalText).join(', ')}.`}
        {comparedSince === null ? '' : ` Only purchases since ${formatDate(comparedSince)} were compared.`}
      </div>
      {moves.length === 0 ? null : (
        <TableCard
          name="Credits that would move"
          columns={['From', 'To', 'Purchases', <AmountHead key="net">Net</AmountHead>]}
          minWidth={560}
        >
          {moves.map((move) => (
            <Table.Tr key={[move.currency, placeText(move.from), placeText(move.to)].join(' ')}>
              <Place place={move.from} />
              <Place place={move.to} />
              <Table.Td>{formatCount(move.purchases)}</Table.Td>
              <AmountCell minor={move.netMinor} currency={move.currency} />
            </Table.Tr>
          ))}
        </TableCard>
      )}
      {moreMoves > 0 ? (
        <Text size="xs" c="dimmed" mt={6}>
          {formatPlural(moreMoves, 'smaller move is', 'smaller moves are')} not listed.
        </Text>
      ) : null}
    </section>
  );
}

const totalText = ({ grossMinor, currency }: Preview['totals'][number]): string =>
  `${formatMoney(grossMinor, currency)} gross`;

type PlaceOf = Preview['moves'][number]['from'];

/** "Offer click: Spring bundle, Launch" */
const placeText = ({ level, webinarTitle, offerTitle }: PlaceOf): string =>
  [levelTexts[level] + (offerTitle === null ? '' : `: ${offerTitle}`), webinarTitle]
    .filter(Boolean)
    .join(', ');

const Place = ({ place }: { place: PlaceOf }) => (
  <Table.Td maw={220}>
    <CutText text={placeText(place)} />
  </Table.Td>
);

/** The progress of the run that credits all purchases again. */
export function RunProgress({ run }: { run: NonNullable<RevenueWindow['run']> }) {
  const { state, total, checked, moved } = run;
  const isDone = state === 'done';
  const percent = isDone ? 100 : Math.min(100, (checked / Math.max(1, total)) * 100);
  return (
    <section className={styles['progress']} aria-label="Credits after the last change">
      <Group gap="xs" mb={8}>
        <Status tone={isDone ? 'good' : 'info'} isMoving={!isDone}>
          {isDone ? 'Done' : 'Running'}
        </Status>
        <Text size="sm" fw={550}>
          {formatCount(checked)} of {formatCount(Math.max(total, checked))} purchases credited again,{' '}
          {formatCount(moved)} moved
        </Text>
      </Group>
      <Progress value={percent} size={6} radius="xl" aria-label="Credited again" />
    </section>
  );
}
