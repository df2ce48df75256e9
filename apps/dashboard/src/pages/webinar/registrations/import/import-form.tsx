import '../../../../components/choices.css';
import { Button, FileInput, Group, Progress, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FailureNotice } from '../../../../components/failure-notice.tsx';
import { Notice } from '../../../../components/notice.tsx';
import { SearchSelect } from '../../../../components/search-select.tsx';
import { FieldRow } from '../../../../components/section.tsx';
import { ShowApiCall } from '../../../../components/show-api-call.tsx';
import { saveCsv } from '../../../../csv.ts';
import { isFromService } from '../../../../failure.ts';
import { formatCount, formatPlural } from '../../../../format.ts';
import { useTRPCClient, type Webinar } from '../../../../trpc.ts';
import { slotText } from '../registration-texts.ts';
import { slotValue, useRegistrationsChanged, useSlots } from '../use-registrations.ts';
import { importRows, onDemandMs, type RowResult } from './import-rows.ts';
import {
  checkRows,
  decodeFile,
  fileBytesMax,
  guessMapping,
  readTable,
  rowsMax,
  targetsOf,
  toRegistrant,
  type CsvRow,
  type CsvTable,
  type Mapping,
  type Registrant,
} from './import-values.ts';

const previewMax = 5;
const refusedShownMax = 50;

/** Imports a file: choose it, say which column is which, look at the first rows, and follow the result of each row. */
export function ImportForm({ webinar, onClose }: { webinar: Webinar; onClose: () => void }) {
  const [table, setTable] = useState<CsvTable>();
  const [problem, setProblem] = useState<string>();
  const read = async (file: File | null): Promise<void> => {
    setProblem(undefined);
    if (!file) return;
    try {
      if (file.size > fileBytesMax) throw new Error('The file is larger than 8 MB. Split it.');
      setTable(readTable(decodeFile(await file.arrayBuffer())));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The file could not be read.');
    }
  };
  if (table) return <MappedImport webinar={webinar} table={table} onClose={onClose} />;
  const registeredBefore = webinar.schedule.onDemand
    ? 'For an on-demand session, all people of an import get one session, and each import begins another.'
    : 'People who are registered already stay as they are.';
  return (
    <Stack gap="md">
      <FileInput
        label="CSV file"
        description={`The first line has the names of the columns. At most 8 MB and ${formatCount(rowsMax)} rows.`}
        placeholder="Choose a file"
        accept=".csv,text/csv"
        error={problem}
        data-autofocus
        onChange={(file) => void read(file)}
      />
      <Text size="sm" c="dimmed">
        Nothing is sent until you have seen the first rows. {registeredBefore}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

interface MappedImportProps {
  webinar: Webinar;
  table: CsvTable;
  onClose: () => void;
}

function MappedImport({ webinar, table, onClose }: MappedImportProps) {
  const slots = useSlots(webinar.id);
  const targets = useMemo(() => targetsOf(webinar), [webinar]);
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(table.headings, targets));
  const [chosen, setChosen] = useState<string>();
  const [suppressConfirmation, setSuppress] = useState(false);
  const [started, setStarted] = useState<{ registrants: Registrant[]; isOnDemand: boolean }>();
  const slot = slots.data?.find((one) => slotValue(one) === chosen) ?? slots.data?.[0];
  const isOnDemand = slot?.kind === 'on_demand';
  const toRow = (row: CsvRow, sessionTime = slot?.startsAt) =>
    toRegistrant(row, { mapping, sessionTime, suppressConfirmation });
  const [isStarting, setStarting] = useState(false);
  const checks = useMemo(
    () =>
      checkRows(
        table.rows.map((row) =>
          toRegistrant(row, { mapping, sessionTime: undefined, suppressConfirmation: false }),
        ),
        webinar,
      ),
    [table, mapping, webinar],
  );
  const good = checks.filter((problem) => problem === undefined).length;
  const unused = table.headings.filter((_, index) => !Object.values(mapping).includes(index));
  const missing = targets.filter(({ path, isRequired }) => isRequired && mapping[path] === undefined);
  const start = async (): Promise<void> => {
    // All calls name one minute, read anew. Without it, a call that is repeated in another minute would register its people again.
    setStarting(true);
    const fresh = isOnDemand ? await slots.refetch() : undefined;
    setStarting(false);
    if (fresh?.error) return;
    const time = fresh ? fresh.data?.data.find(({ kind }) => kind === 'on_demand')?.startsAt : slot?.startsAt;
    if (time !== undefined)
      setStarted({ registrants: table.rows.map((row) => toRow(row, time)), isOnDemand });
  };
  if (started) return <RunningImport webinar={webinar} {...started} rows={table.rows} onClose={onClose} />;
  if (slots.error) return <FailureNotice error={slots.error} onRetry={() => void slots.refetch()} />;
  if (slots.data?.length === 0)
    return (
      <Notice tone="info">This webinar has no upcoming session, so registration is not possible.</Notice>
    );
  const columns = table.headings.map((heading, index) => ({ value: String(index), label: heading }));
  return (
    <Stack gap="md">
      <Select
        label="Session"
        autoFocus
        allowDeselect={false}
        data={(slots.data ?? []).map((one) => ({
          value: slotValue(one),
          label: slotText(one, webinar.timezone),
        }))}
        value={slot ? slotValue(slot) : null}
        onChange={(value) => setChosen(value ?? undefined)}
      />
      <FieldRow>
        {targets.map(({ path, label, isRequired }) => (
          <SearchSelect
            key={path}
            label={label}
            withAsterisk={isRequired}
            placeholder="Not in the file"
            clearable
            searchable={columns.length > 8}
            data={columns}
            value={mapping[path] === undefined ? null : String(mapping[path])}
            onChange={(column) =>
              setMapping({ ...mapping, [path]: column === null ? undefined : Number(column) })
            }
          />
        ))}
      </FieldRow>
      <Switch
        label="Send no confirmation e-mail"
        checked={suppressConfirmation}
        onChange={(event) => setSuppress(event.currentTarget.checked)}
      />
      {webinar.registrationForm.consentText === null ? null : (
        <Notice tone="info">
          An import records no answer to the consent text, so these people get no marketing e-mails.
        </Notice>
      )}
      <Preview registrants={table.rows.slice(0, previewMax).map((row) => toRow(row))} checks={checks} />
      {unused.length > 0 ? (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Columns that are not imported: {unused.join(', ')}.
        </Text>
      ) : null}
      {missing.length > 0 ? (
        <Text size="sm" c="var(--tone-bad)" role="status">
          Choose a column for {missing.map(({ label }) => label).join(', ')}.
        </Text>
      ) : null}
      <Group justify="space-between" gap="xs">
        <ShowApiCall
          call={{
            operation: 'POST /webinars/{webinarId}/registrations/bulk',
            params: { webinarId: webinar.id },
            body: { registrations: table.rows.slice(0, 1).map((row) => toRow(row)) },
          }}
          edge="start"
        />
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={missing.length > 0 || !slot} loading={isStarting} onClick={() => void start()}>
            Import {good === checks.length ? '' : `${formatCount(good)} of `}
            {formatPlural(checks.length, 'row')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

interface PreviewProps {
  registrants: readonly Registrant[];
  checks: readonly (string | undefined)[];
}

const Preview = ({ registrants, checks }: PreviewProps) => (
  <section aria-label="First rows">
    <Table layout="fixed" style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>E-mail</Table.Th>
          <Table.Th>Check</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {registrants.map((registrant, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows never move
          <Table.Tr key={index}>
            <Table.Td>{registrant.name}</Table.Td>
            <Table.Td>{registrant.email}</Table.Td>
            <Table.Td>{checks[index] ?? 'OK'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);

interface RunningImportProps {
  webinar: Webinar;
  registrants: readonly Registrant[];
  /** Those of the file, one for each registrant. */
  rows: readonly CsvRow[];
  isOnDemand: boolean;
  onClose: () => void;
}

const texts = { created: 'Registered', existing: 'Registered before', error: 'Refused' };

function RunningImport({ webinar, registrants, rows, isOnDemand, onClose }: RunningImportProps) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const stop = useRef<() => void>(undefined);
  const {
    mutate,
    isPending,
    error,
    data: end,
  } = useMutation({
    mutationFn: (signal: AbortSignal) =>
      importRows(registrants, {
        send: async (registrations) =>
          (await client.registrations.createMany.mutate({ webinarId: webinar.id, registrations })).data,
        onProgress: setResults,
        wait: (seconds) => new Promise((resolve) => void setTimeout(resolve, seconds * 1000)),
        signal,
        timeMs: isOnDemand ? onDemandMs : undefined,
      }),
    onSettled: changed,
  });
  useEffect(() => {
    const controller = new AbortController();
    stop.current = () => controller.abort();
    mutate(controller.signal);
    // Closing the dialog ends the import after its present call.
    return stop.current;
  }, [mutate]);
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isPending && next.pathname !== '/sign-in',
    enableBeforeUnload: isPending,
    withResolver: true,
  });
  const isAsked = blocker.status === 'blocked';
  useEffect(() => {
    // Without a running import there is nothing to ask.
    if (!isPending) blocker.reset?.();
  }, [isPending, blocker]);
  const count = (status: RowResult['status']): number =>
    results.filter((one) => one.status === status).length;
  const refused = results.flatMap((result, index) =>
    result.status === 'error' ? [{ ...result, index }] : [],
  );
  const save = () =>
    saveCsv('Import results', [
      ['row', 'email', 'name', 'result', 'reason'],
      ...registrants.map(({ email, name }, index) => {
        const result = results[index];
        const text = result ? texts[result.status] : 'Not sent';
        return [rows[index]!.line, email, name, text, result?.message ?? ''];
      }),
    ]);
  return (
    <Stack gap="md">
      <Progress value={(results.length / registrants.length) * 100} aria-label="Imported rows" />
      <Text size="sm" role="status">
        {formatCount(results.length)} of {formatPlural(registrants.length, 'row')}:{' '}
        {formatCount(count('created'))} registered, {formatCount(count('existing'))} registered before,{' '}
        {formatCount(refused.length)} refused.
        {isPending ? '' : results.length < registrants.length ? ' The rest was not sent.' : ' Done.'}
      </Text>
      {end === 'time over' ? (
        <Notice tone="info">
          An import into an on-demand session ends after eight minutes at the latest. Import the rows that
          were not sent: the file of results has them.
        </Notice>
      ) : null}
      {error && isFromService(error) ? <FailureNotice error={error} /> : null}
      {error && !isFromService(error) ? (
        <Notice tone="bad">
          The service could not be reached.{' '}
          {isOnDemand
            ? 'Import the rows that were not sent: the file of results has them. Up to 200 of them may be registered already.'
            : 'Import the file again: no person is registered twice.'}
        </Notice>
      ) : null}
      {refused.length > 0 ? (
        <ul
          aria-label="Refused rows"
          style={{ maxHeight: 220, overflowY: 'auto', margin: 0, fontSize: 13 }}
          tabIndex={0}
        >
          {refused.slice(0, refusedShownMax).map(({ index, message }) => (
            <li key={index}>
              Line {rows[index]!.line}, {registrants[index]!.email || 'without an address'}: {message}
            </li>
          ))}
        </ul>
      ) : null}
      {refused.length > refusedShownMax ? (
        <Text size="sm" c="dimmed">
          The file of results has the other {formatCount(refused.length - refusedShownMax)}.
        </Text>
      ) : null}
      {isAsked ? (
        <Notice tone="warn">
          <Text size="sm" role="alert">
            The import is still running. Stop it first, or wait until it is done.
          </Text>
        </Notice>
      ) : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={save}>
          Download results
        </Button>
        {isPending ? (
          <Button
            variant="default"
            c="var(--tone-bad)"
            onClick={() => {
              stop.current?.();
              blocker.reset?.();
            }}
          >
            Stop import
          </Button>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )}
      </Group>
    </Stack>
  );
}
