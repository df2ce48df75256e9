import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@service/icons';
import { failureOf } from '../failure.ts';
import { Notice } from './notice.tsx';
import { useCopy } from './use-copy.ts';

interface FailureNoticeProps {
  error: unknown;
  /** Absent in forms, which have a submit button. */
  onRetry?: (() => void) | undefined;
  /** Paths that the form shows beside its fields. */
  shownPaths?: readonly string[];
}

const none: readonly string[] = [];

/** Shows the error, the refused fields, the request id to quote, and a button to try again. */
export function FailureNotice({ error, onRetry, shownPaths = none }: FailureNoticeProps) {
  const failure = failureOf(error);
  const issues = failure.issues.filter((issue) => !shownPaths.includes(issue.path));
  if (failure.issues.length > 0 && issues.length === 0) return null;
  return (
    <Notice tone="bad">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div>
          <Text size="sm" fw={550}>
            {failure.message}
          </Text>
          {issues.map((issue) => (
            <Text key={issue.path + issue.message} size="sm">
              {issue.path ? <code>{issue.path}</code> : null} {issue.message}
            </Text>
          ))}
          {failure.requestId ? (
            <Group gap={4}>
              <Text size="xs" c="dimmed">
                Request <code>{failure.requestId}</code>
              </Text>
              <CopyRequestId id={failure.requestId} />
            </Group>
          ) : null}
        </div>
        {onRetry ? (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        ) : null}
      </Group>
    </Notice>
  );
}

const icons = { idle: IconCopy, copied: IconCheck, failed: IconX };

/** Without the tooltip of CopyAction, whose library would be a fifth of the sign-in page. */
function CopyRequestId({ id }: { id: string }) {
  const [state, copy] = useCopy(id);
  const Icon = icons[state];
  return (
    <ActionIcon aria-label="Copy request id" title="Copy request id" onClick={copy} size={24}>
      <Icon size={14} />
    </ActionIcon>
  );
}
