import { Anchor, Button, Menu } from '@mantine/core';
import { branchesMax } from '@service/webinars/inputs';
import { IconAlertCircle, IconFlag, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { notifications } from '@mantine/notifications';
import { CopyAction } from '../../../components/copy.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { Status } from '../../../components/status.tsx';
import { failureOf } from '../../../failure.ts';
import { formatPosition } from '../../../time-text.ts';
import { useTRPC, type Branch, type GraphProblem, type Segment } from '../../../trpc.ts';
import styles from './adaptive.module.css';
import { BranchList } from './branch-list.tsx';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

interface SegmentCardProps {
  segment: Segment;
  graph: EditedGraph;
  problems: readonly GraphProblem[];
  onDelete: () => void;
  onDeleteBranch: (branch: Branch) => void;
}

export function SegmentCard({ segment, graph, problems, onDelete, onDeleteBranch }: SegmentCardProps) {
  const { show, search } = useAdaptiveSearch();
  const card = useRef<HTMLLIElement>(null);
  const { id, title, key, durationSeconds, isEntry, isTerminal, videoUrl } = segment;
  const isFull = graph.branches.length >= branchesMax;
  const isWanted = isNamedIn(search.field, segment, graph);
  useEffect(() => {
    if (!isWanted) return;
    card.current?.scrollIntoView({ block: 'center' });
    card.current?.querySelector('button')?.focus();
  }, [isWanted]);
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['head']}>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          className={styles['title']}
          title={title}
          onClick={() => show({ segment: id })}
        >
          {title}
        </Anchor>
        {isEntry ? <Status tone="info">First</Status> : null}
        {isTerminal ? <Status tone="quiet">Ends the webinar</Status> : null}
        <span className={styles['quiet']}>{formatPosition(durationSeconds)}</span>
        {videoUrl === null ? <span className={styles['quiet']}>No video</span> : null}
        <div className={styles['tools']}>
          <code className={`${styles['quiet']} ${styles['key']}`} title={key}>
            {key}
          </code>
          <CopyAction text={id} label={`Copy id of ${title}`} />
          <SegmentMenu segment={segment} onDelete={onDelete} />
        </div>
      </div>
      {problems.map(({ message }) => (
        <div key={message} className={styles['problem']}>
          <IconAlertCircle size={15} aria-hidden />
          {message}
        </div>
      ))}
      <BranchList segment={segment} graph={graph} onDelete={onDeleteBranch} />
      {isTerminal ? null : (
        <div className={styles['last']}>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            disabled={isFull}
            aria-label={`Add branch from ${title}`}
            onClick={() => show({ newBranch: id })}
          >
            Add branch
          </Button>
          {isFull ? (
            <span className={styles['quiet']}>A webinar has at most {branchesMax} branches.</span>
          ) : null}
        </div>
      )}
    </li>
  );
}

/** True if the path of a problem names the segment or a branch that leaves it. */
function isNamedIn(path: string | undefined, { id }: Segment, { branches }: EditedGraph): boolean {
  const [, named] = path?.split('.') ?? [];
  return named === id || branches.some((branch) => branch.id === named && branch.fromSegmentId === id);
}

function SegmentMenu({ segment, onDelete }: { segment: Segment; onDelete: () => void }) {
  const { show } = useAdaptiveSearch();
  const trpc = useTRPC();
  const changed = useGraphChanged();
  const { webinarId, id: segmentId, title, isEntry } = segment;
  const { mutate } = useMutation(
    trpc.segments.makeEntry.mutationOptions({
      onSettled: changed,
      onError: (error) => {
        const { message, issues } = failureOf(error);
        notifications.show({
          color: 'red',
          title: `“${title}” is not the first segment`,
          message: [message, ...issues.map((issue) => issue.message)].join(' '),
        });
      },
    }),
  );
  return (
    <MoreMenu label={`More about ${title}`} width={210}>
      <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => show({ segment: segmentId })}>
        Edit
      </Menu.Item>
      {isEntry ? null : (
        <Menu.Item leftSection={<IconFlag size={15} />} onClick={() => mutate({ webinarId, segmentId })}>
          Start with this segment
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
        Delete
      </Menu.Item>
    </MoreMenu>
  );
}
