import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Sentence } from '../../../components/sentence.tsx';
import { failureOf } from '../../../failure.ts';
import type { SentencePart } from '../../../fill-template.ts';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { useSourceTarget } from '../../source/source-link.tsx';
import { ruleToSource } from '../../source/source.ts';
import { waitingText } from '../../source/recovery-text.ts';
import { RuleMenu } from './rule-menu.tsx';
import styles from './rules-section.module.css';

interface RuleItemProps {
  rule: Rule;
  sentence: readonly SentencePart[];
  /** Opens the drawer with details and secret. */
  onOpen: () => void;
  onDelete: () => void;
}

export function RuleItem({ rule, sentence, onOpen, onDelete }: RuleItemProps) {
  return (
    <li className={`${styles['item']} ${rule.enabled ? '' : styles['off']}`}>
      <div className={styles['switch']}>
        <RuleSwitch rule={rule} />
      </div>
      <div>
        <button type="button" className={styles['name']} onClick={onOpen}>
          {rule.name}
        </button>
        <p className={styles['sentence']}>
          <Sentence parts={sentence} />
        </p>
        <div className={styles['facts']}>
          <HealthBadge health={rule.health} isHalted={rule.halted} />
          <span>
            Last fired: <RelativeTime at={rule.lastFiredAt} never="not lately" />
          </span>
          <span>
            Created <RelativeTime at={rule.createdAt} />
          </span>
          <Link {...useSourceTarget(ruleToSource(rule))} aria-label={`Deliveries of ${rule.name}`}>
            Deliveries
          </Link>
        </div>
      </div>
      <RuleMenu rule={rule} onOpen={onOpen} onDelete={onDelete} />
    </li>
  );
}

function RuleSwitch({ rule }: { rule: Rule }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation(
    trpc.automations.rules.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.automations.rules.pathFilter()),
      onSuccess({ data: { cancelledDeliveries: cancelled } }) {
        if (!cancelled || cancelled.count === 0) return;
        notifications.show({
          title: `“${rule.name}” is off`,
          message: `${waitingText(cancelled.count)} that waited ${cancelled.count === 1 ? 'is' : 'are'} cancelled. To send them, switch the rule on and recover the cancelled deliveries.`,
        });
      },
      onError: (error) =>
        notifications.show({
          color: 'red',
          title: `“${rule.name}” is unchanged`,
          message: failureOf(error).message,
        }),
    }),
  );
  const { webinarId, id: ruleId } = rule;
  return (
    <Switch
      aria-label={`${rule.name} enabled`}
      checked={isPending ? (variables.enabled ?? rule.enabled) : rule.enabled}
      onChange={(event) => mutate({ webinarId, ruleId, enabled: event.currentTarget.checked })}
    />
  );
}
