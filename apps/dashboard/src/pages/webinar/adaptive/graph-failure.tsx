import { Text } from '@mantine/core';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { failureOf } from '../../../failure.ts';

interface GraphFailureProps {
  error: unknown;
  /** Paths that the form shows beside its fields. */
  shownPaths?: readonly string[];
}

/** A refused change of a graph. Problems of a published webinar are sentences with names, so their paths are left out. */
export function GraphFailure({ error, shownPaths }: GraphFailureProps) {
  const { code, issues } = failureOf(error);
  if (code !== 'webinar_not_publishable') return <FailureNotice error={error} shownPaths={shownPaths} />;
  return (
    <Notice tone="bad">
      <Text size="sm" fw={550}>
        Nothing was changed. In the published webinar, viewers would meet a problem:
      </Text>
      {issues.map(({ message }) => (
        <Text key={message} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      ))}
    </Notice>
  );
}
