import { Button, Group, Stack } from '@mantine/core';
import { IconActivity, IconFilterOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useRetention } from '../../retention.ts';
import { useWorkspace } from '../../workspace.ts';
import { timeRanges } from '../../time-ranges.ts';
import { defaultRange } from './search.ts';
import { useActivitySearch } from './use-activity-search.ts';

/** The workspace has no calls yet. */
export function NoCalls() {
  const { workspace } = useWorkspace();
  const retention = useRetention();
  const curl = `curl ${window.location.origin}/api/v1/webinars \\\n  -H "Authorization: Bearer $API_KEY"`;
  const keys = (
    <Link to="/w/$workspaceId/settings/keys" params={{ workspaceId: workspace.id }}>
      API key
    </Link>
  );
  return (
    <EmptyState
      icon={IconActivity}
      title="No API calls yet"
      action={
        <Stack gap="xs" ta="start">
          <CodeBlock label="A first call" text={curl} />
          <CopyButton text={curl} label="Copy command" />
        </Stack>
      }
    >
      Every call over REST or MCP appears here within a second, with its status, duration and request id
      {retention ? `, and is kept ${retention.history}` : null}. Make one with an {keys}:
    </EmptyState>
  );
}

/** The workspace has calls, but none of them match. */
export function NoMatches() {
  const { search, isFiltered, clear, show } = useActivitySearch();
  const { range = defaultRange } = search;
  const isWidest = search.from === undefined && range === 'last_90_days';
  return (
    <EmptyState
      icon={IconFilterOff}
      title={isFiltered ? 'No calls match these filters' : 'No calls in the last 24 hours'}
      action={
        <Group gap="xs" justify="center">
          {isFiltered ? <Button onClick={clear}>Clear filters</Button> : null}
          {isWidest ? null : (
            <Button
              variant="default"
              onClick={() => show({ range: 'last_90_days', from: undefined, to: undefined })}
            >
              Show the last 90 days
            </Button>
          )}
        </Group>
      }
    >
      {search.from === undefined
        ? `Searched the ${timeRanges[range].text.toLowerCase()}. `
        : 'Searched the time selected above. '}
      Calls refused with 401 are never listed.
    </EmptyState>
  );
}
