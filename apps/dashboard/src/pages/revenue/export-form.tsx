import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@service/icons';
import { useWorkspace } from '../../workspace.ts';
import { filtersOf, isFiltered, spanOf } from './filters.ts';
import type { RevenueSearch } from './search.ts';
import { useEventFilter, useToday } from './use-revenue.ts';
import { formatDays } from './days.ts';

interface ExportFormProps {
  search: RevenueSearch;
  onClose: () => void;
}

/** Says what is exported, with a link that downloads it. The workspace is in the link, because a link cannot send a header. */
export function ExportForm({ search, onClose }: ExportFormProps) {
  const { workspace } = useWorkspace();
  const today = useToday();
  const filter = useEventFilter(filtersOf(search));
  const given = Object.entries({ workspace: workspace.id, ...filter }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return (
    <Stack gap="md">
      <Text size="sm">
        The file has one line for each event {timeText(search, today)}
        {isFiltered(filtersOf(search)) ? ' that matches the filters of this page' : ''}: its type, amount,
        currency, buyer, payment, credit and the reason. Amounts are in the smallest unit of the currency and
        as a decimal number.
      </Text>
      <Text size="sm" c="dimmed">
        The download begins at once and goes on while you work. A workspace can run two exports at the same
        time.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          component="a"
          href={`/api/revenue/export.csv?${new URLSearchParams(given).toString()}`}
          download
          leftSection={<IconDownload size={15} />}
          data-autofocus
          autoFocus
          onClick={onClose}
        >
          Download CSV
        </Button>
      </Group>
    </Stack>
  );
}

/** "of all time", "since 24 Oct 2026", "from 20 Nov – 26 Nov 2026" */
function timeText(search: RevenueSearch, today: string): string {
  const { from, to } = spanOf(search, today);
  if (from === undefined) return 'of all time';
  if (to !== undefined) return `of ${formatDays(from, to)}`;
  return `since ${formatDays(from, from)}`;
}
