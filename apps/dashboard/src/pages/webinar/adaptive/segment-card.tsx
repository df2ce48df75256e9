import { Anchor, Button, Menu } from '@mantine/core';
import { branchesMax } from '@service/webinars/inputs';
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconFlag,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { conditionText } from '@service/conditions';
import { useNames, type Names } from '../../../components/conditions/use-names.ts';
import { CopyAction } from '../../../components/copy.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { Status } from '../../../components/status.tsx';
import { formatPosition } from '../../../time-text.ts';
import { useTRPC, type Branch, type GraphProblem, type Segment } from '../../../trpc.ts';
import { IconAction, MenuAction } from '../icon-actions.tsx';
import { showRefusal } from '../show-refusal.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import styles from './adaptive.module.css';
import { viaTexts } from './branch-values.ts';
import { branchesFrom, useGraphChanged, type EditedGraph } from './use-graph.ts';

interface SegmentCardProps {
  segment: Segment;
  graph: EditedGraph;
  problems: readonly GraphProblem[];
  onDelete: () => void;
  onDeleteBranch: (branch: Branch) => void;
}

export function SegmentCard({ segment, graph, problems, onDelete, onDeleteBranch }: SegmentCardProps) {
  const { show, search } = useAdaptiveSearch();
  const trpc = useTRPC();
  const changed = useGraphChanged();
  const card = useRef<HTMLLIElement>(null);
  const { id, webinarId, title, key, durationSeconds, isEntry, isTerminal, videoUrl } = segment;
  const { mutate } = useMutation(
    trpc.segments.makeEntry.mutationOptions({
      onSettled: changed,
      onError: (error) => showRefusal(`“${title}” is not the first segment`, error, { hasIssues: true }),
    }),
  );
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
          <MoreMenu label={`More about ${title}`} width={210}>
            <MenuAction icon={IconPencil} label="Edit" onClick={() => show({ segment: id })} />
            {isEntry ? null : (
              <MenuAction
                icon={IconFlag}
                label="Start with this segment"
                onClick={() => mutate({ webinarId, segmentId: id })}
              />
            )}
            <Menu.Divider />
            <MenuAction icon={IconTrash} label="Delete" color="red" onClick={onDelete} />
          </MoreMenu>
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

interface BranchListProps {
  segment: Segment;
  graph: EditedGraph;
  onDelete: (branch: Branch) => void;
}

/** The branches that leave a segment, in the order in which they are tried. */
function BranchList({ segment, graph, onDelete }: BranchListProps) {
  const trpc = useTRPC();
  const changed = useGraphChanged();
  const names = useNames(segment.webinarId);
  const branches = branchesFrom(graph.branches, segment.id);
  const { mutate, isPending } = useMutation(
    trpc.segments.orderBranches.mutationOptions({
      onSettled: changed,
      onError: (error) => showRefusal('The order is unchanged', error),
    }),
  );
  if (branches.length === 0) return null;
  const moveTo = (from: number, to: number) => {
    const branchIds = branches.map(({ id }) => id);
    branchIds.splice(to, 0, ...branchIds.splice(from, 1));
    mutate({ webinarId: segment.webinarId, segmentId: segment.id, branchIds });
  };
  return (
    <ol className={styles['branches']} aria-label={`Branches from ${segment.title}`}>
      {branches.map((branch, index) => (
        <li key={branch.id} className={styles['branch']}>
          <span className={styles['via']}>{viaTexts[branch.via].word}</span>
          <BranchWords branch={branch} graph={graph} names={names} />
          <div className={styles['tools']}>
            <IconAction
              icon={IconArrowUp}
              label={`Move ${branch.label} up`}
              disabled={index === 0 || isPending}
              onClick={() => moveTo(index, index - 1)}
            />
            <IconAction
              icon={IconArrowDown}
              label={`Move ${branch.label} down`}
              disabled={index === branches.length - 1 || isPending}
              onClick={() => moveTo(index, index + 1)}
            />
            <IconAction icon={IconTrash} label={`Delete ${branch.label}`} onClick={() => onDelete(branch)} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function BranchWords({ branch, graph, names }: { branch: Branch; graph: EditedGraph; names: Names }) {
  const { show } = useAdaptiveSearch();
  const target = graph.segments.find(({ id }) => id === branch.toSegmentId)?.title ?? 'a deleted segment';
  return (
    <div className={styles['words']}>
      <Anchor
        component="button"
        type="button"
        fz="inherit"
        ta="start"
        style={{ overflowWrap: 'anywhere' }}
        onClick={() => show({ branch: branch.id })}
      >
        {branch.label}
      </Anchor>{' '}
      to <strong>{target}</strong>
      {branch.conditions.length > 0 ? (
        <div className={styles['quiet']}>
          If {branch.conditions.map((condition) => conditionText(condition, names)).join(', and ')}
        </div>
      ) : null}
      {branch.via === 'choice' ? <div className={styles['quiet']}>{choiceText(branch)}</div> : null}
    </div>
  );
}

function choiceText({ promptText, promptAtSeconds, choiceTimeoutSeconds }: Branch): string {
  const at = promptAtSeconds === null ? 'at the end' : `from ${formatPosition(promptAtSeconds)}`;
  const question = promptText === null ? 'Offered' : `“${promptText}”, offered`;
  return `${question} ${at}, with ${choiceTimeoutSeconds} s to choose after the end`;
}
