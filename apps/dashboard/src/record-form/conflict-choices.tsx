import '../components/choices.css';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import itemStyles from '../components/item-list.module.css';
import styles from './conflict-dialog.module.css';
import { ExactTime } from '../components/relative-time.tsx';
import { useTRPC, type Activity } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import { compareEdits, type Difference, type SavedChange } from './edits.ts';
import type { Conflict } from './use-record-form.ts';

export interface ConflictChoicesProps<Values> {
  conflict: Conflict<Values>;
  /** Names of fields by path. */
  labels: Record<string, string>;
  /** Describes the value of a field whose value is not a text, a number or a switch. */
  describe?: (path: string, value: unknown) => string | undefined;
}

/** The changes of two people, field by field. */
export function ConflictChoices<Values extends object>({
  conflict,
  labels,
  describe,
}: ConflictChoicesProps<Values>) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const differences = compareEdits(conflict);
  const shown = { labels, describe };
  const choose = (path: string, isTheirs: boolean) =>
    setTheirs((before) => new Set([...before].filter((one) => one !== path).concat(isTheirs ? path : [])));
  return (
    <Stack gap="md">
      <Text size="sm">
        {conflict.saved ? <Author saved={conflict.saved} /> : null}
        Your changes are not saved yet, and nothing is lost. If only one of you changed a field, that change
        is kept.
      </Text>
      <ul className={itemStyles['rows']}>
        {differences.map((difference) => (
          <li key={difference.path} className={styles['item']}>
            <Item
              difference={difference}
              isTheirs={theirs.has(difference.path)}
              onChoose={(isTheirs) => choose(difference.path, isTheirs)}
              {...shown}
            />
          </li>
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={conflict.takeTheirs}>
          Discard all of mine
        </Button>
        <Button onClick={() => conflict.resolve((path) => !theirs.has(path))} data-autofocus autoFocus>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

/** Names the author and the time of the other change. A change over the API has the label of its key. */
function Author({ saved: { recordId, at } }: { saved: SavedChange }) {
  const trpc = useTRPC();
  const { user } = useWorkspace();
  const change = useQuery(trpc.accounts.changes.author.queryOptions({ recordId, at }));
  const end = new Date(Date.parse(at) + 1).toISOString();
  const calls = useQuery(
    trpc.activity.list.queryOptions(
      { from: at, to: end, status: 'success', limit: 100 },
      { enabled: change.data?.data === null },
    ),
  );
  const member = change.data?.data;
  const call = calls.data?.data.find((one) => mayHaveChanged(one, recordId));
  const name = member ? member.memberName : call && `${call.keyLabel} (API)`;
  return (
    <>
      {member?.memberId === user.id ? 'You saved' : name === undefined ? 'Somebody saved' : `${name} saved`}{' '}
      the other change on <ExactTime at={at} />.{' '}
    </>
  );
}

const mayHaveChanged = ({ method, path, tool }: Activity, recordId: string): boolean =>
  tool === null ? method !== 'GET' && path?.includes(recordId) === true : !/^(get|list)_/.test(tool);

interface ItemProps extends Pick<ConflictChoicesProps<object>, 'labels' | 'describe'> {
  difference: Difference;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}

function Item({ difference, isTheirs, onChoose, labels, describe }: ItemProps) {
  const { path, mine, theirs } = difference;
  const label = labels[path] ?? path;
  const text = (value: unknown): string => describe?.(path, value) ?? plainText(value);
  if (!difference.isMine || !difference.isTheirs) {
    const isMine = difference.isMine;
    return (
      <>
        <span className={styles['name']}>{label}</span>
        <span className={styles['value']}>
          {isMine ? 'You changed it to' : 'They changed it to'} {text(isMine ? mine : theirs)}
        </span>
      </>
    );
  }
  return (
    <Radio.Group
      label={label}
      value={isTheirs ? 'theirs' : 'mine'}
      onChange={(value) => onChoose(value === 'theirs')}
    >
      <Stack gap={6} mt={6}>
        <Radio value="mine" label={`Keep mine: ${text(mine)}`} />
        <Radio value="theirs" label={`Take theirs: ${text(theirs)}`} />
      </Stack>
    </Radio.Group>
  );
}

function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plainText).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? `“${value}”` : JSON.stringify(value);
}
