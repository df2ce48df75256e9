import { ActionIcon, Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { conditionText, type Names } from '../../../components/conditions/condition-text.ts';
import { useNames } from '../../../components/conditions/use-names.ts';
import { failureOf } from '../../../failure.ts';
import { formatPosition } from '../../../time-text.ts';
import { useTRPC, type Branch, type Segment } from '../../../trpc.ts';
import styles from './adaptive.module.css';
import { viaTexts } from './branch-texts.ts';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { branchesFrom, useGraphChanged, type EditedGraph } from './use-graph.ts';

interface BranchListProps {
  segment: Segment;
  graph: EditedGraph;
  onDelete: (branch: Branch) => void;
}

/** The branches that leave a segment, in the order in which they are tried. */
export function BranchList({ segment, graph, onDelete }: BranchListProps) {
  const trpc = useTRPC();
  const changed = useGraphChanged();
  const names = useNames(segment.webinarId);
  const branches = branchesFrom(graph.branches, segment.id);
  const { mutate, isPending } = useMutation(
    trpc.segments.orderBranches.mutationOptions({
      onSettled: changed,
      onError: (error) =>
        notifications.show({
          color: 'red',
          title: 'The order is unchanged',
          message: failureOf(error).message,
        }),
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
            <ActionIcon
              aria-label={`Move ${branch.label} up`}
              disabled={index === 0 || isPending}
              onClick={() => moveTo(index, index - 1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Move ${branch.label} down`}
              disabled={index === branches.length - 1 || isPending}
              onClick={() => moveTo(index, index + 1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
            <ActionIcon aria-label={`Delete ${branch.label}`} onClick={() => onDelete(branch)}>
              <IconTrash size={15} />
            </ActionIcon>
          </div>
        </li>
      ))}
    </ol>
  );
}

interface BranchWordsProps {
  branch: Branch;
  graph: EditedGraph;
  names: Names;
}

function BranchWords({ branch, graph, names }: BranchWordsProps) {
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
