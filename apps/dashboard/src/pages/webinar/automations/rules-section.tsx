import { Group, Skeleton, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconInfoCircle, IconPencil, IconPlus, IconTimeline, IconWebhook } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { Sentence } from '../../../components/sentence.tsx';
import type { SentencePart } from '@service/conditions';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { waitingMark, waitingText } from '../../source/recovery-text.ts';
import { SourceMenu, toSource } from '../../source/source-link.tsx';
import { ruleToSource } from '../../source/source.ts';
import { useRules, useWaitingCounts } from '../../source/use-sources.ts';
import { MenuAction } from '../icon-actions.tsx';
import { showRefusal } from '../show-refusal.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useAutomationsSearch } from '../use-tab-search.ts';
import styles from './automations.module.css';
import { useRuleSentence } from './rule-sentence.ts';
import { WorkspaceLink } from '../../../workspace.ts';

// Loaded when its dialog opens.
const DeleteRule = lazy(async () => ({ default: (await import('./rule-details.tsx')).DeleteRule }));

/** The limit of the service. */
const rulesMax = 100;

export function RulesSection() {
  const { webinarId, show } = useAutomationsSearch();
  const [leaving, setLeaving] = useState<Rule>();
  const close = () => setLeaving(undefined);
  const { data, error, refetch } = useRules(webinarId);
  const sentenceOf = useRuleSentence(webinarId);
  const waiting = useWaitingCounts(webinarId);
  const rules = data?.data;
  const isFull = rules !== undefined && rules.length >= rulesMax;
  const create = (
    <GuardedButton
      leftSection={<IconPlus size={15} />}
      reason={
        isFull ? `A webinar has at most ${rulesMax} rules. Delete one that you no longer use.` : undefined
      }
      onClick={() => show({ create: true })}
    >
      Create rule
    </GuardedButton>
  );
  return (
    <Section
      title="Rules"
      text="A rule acts when something happens and all of its conditions are met: it sends a signed webhook or an e-mail, or updates the contact in a marketing tool."
      action={rules?.length ? create : null}
      apiCall={{ operation: 'GET /webinars/{webinarId}/automations', params: { webinarId } }}
    >
      {error && !rules ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {rules?.length === 0 ? (
        <EmptyState
          icon={IconWebhook}
          title="No rules yet"
          action={create}
          steps={[
            'Choose when it fires: a registration, half of the video watched, an offer clicked.',
            'Add conditions if only some attendees count.',
            'Give the URL of your CRM, chat or spreadsheet, write an e-mail, or choose a marketing tool.',
          ]}
        >
          A rule sends what attendees do to your other tools, or writes to them, as soon as it happens.
        </EmptyState>
      ) : null}
      {rules === undefined && !error ? <RulesSkeleton /> : null}
      {rules?.length ? (
        <>
          <ul className={styles['list']} aria-label="Rules">
            {rules.map((rule) => (
              <RuleItem
                key={rule.id}
                rule={rule}
                waiting={waiting.get(rule.id)}
                sentence={sentenceOf(rule)}
                onOpen={() => show({ rule: rule.id })}
                onDelete={() => setLeaving(rule)}
              />
            ))}
          </ul>
          <Group justify="flex-end" mt={6}>
            <Text size="xs" c="dimmed">
              {rules.length} of {rulesMax} rules
            </Text>
          </Group>
        </>
      ) : null}
      <LateModal
        opened={leaving !== undefined}
        onClose={close}
        title={`Delete “${leaving?.name}”`}
        height={180}
      >
        {leaving ? <DeleteRule rule={leaving} onClose={close} /> : null}
      </LateModal>
    </Section>
  );
}

const RulesSkeleton = () => (
  <div className={styles['list']} aria-busy>
    {[0, 1, 2].map((row) => (
      <div key={row} className={styles['item']}>
        <Skeleton height={16} width={28} radius="xl" />
        <div>
          <Skeleton height={12} width="30%" mb={10} mt={4} />
          <Skeleton height={10} width="80%" mb={8} />
          <Skeleton height={10} width="40%" />
        </div>
      </div>
    ))}
  </div>
);

interface RuleItemProps {
  rule: Rule;
  /** Deliveries that wait for its endpoint. */
  waiting: number | undefined;
  sentence: readonly SentencePart[];
  /** Opens the drawer with details and secret. */
  onOpen: () => void;
  onDelete: () => void;
}

function RuleItem({ rule, waiting, sentence, onOpen, onDelete }: RuleItemProps) {
  const { show } = useAutomationsSearch();
  const source = ruleToSource(rule);
  const deliveries = toSource({ ...rule, kind: 'rule' });
  const executions = (
    <MenuAction
      icon={IconTimeline}
      label="Executions"
      onClick={() => show({ view: 'executions', of: rule.id })}
    />
  );
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
          {source ? (
            <HealthBadge health={source.health} isHalted={source.isHalted} waiting={waiting} />
          ) : null}
          {waiting ? <span>{waitingMark(waiting)}</span> : null}
          {source ? <span>{new URL(source.url).host}</span> : null}
          <span>
            Last fired: <RelativeTime at={rule.lastFiredAt} never="not lately" />
          </span>
          <span>
            Created <RelativeTime at={rule.createdAt} />
          </span>
          {source ? (
            <WorkspaceLink {...deliveries} aria-label={`Deliveries of ${rule.name}`}>
              Deliveries
            </WorkspaceLink>
          ) : null}
        </div>
      </div>
      <SourceMenu
        source={{ ...rule, kind: 'rule', isEnabled: rule.enabled }}
        hasEndpoint={source !== undefined}
        history={executions}
        onDelete={onDelete}
      >
        <MenuAction
          icon={IconInfoCircle}
          label={source ? 'Details and secret' : 'Details'}
          onClick={onOpen}
        />
        <MenuAction icon={IconPencil} label="Change" onClick={() => show({ rule: rule.id, edit: true })} />
        <MenuAction icon={IconCopy} label="Duplicate" onClick={() => show({ create: true, copy: rule.id })} />
      </SourceMenu>
    </li>
  );
}

function RuleSwitch({ rule }: { rule: Rule }) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.automations.rules]);
  const { mutate, isPending, variables } = useMutation(
    trpc.automations.rules.update.mutationOptions({
      onSettled: changed,
      onSuccess({ data: { cancelledDeliveries: cancelled } }) {
        if (!cancelled || cancelled.count === 0) return;
        notifications.show({
          title: `“${rule.name}” is off`,
          message: `${waitingText(cancelled.count)} that waited ${cancelled.count === 1 ? 'is' : 'are'} cancelled. To send them, switch the rule on and recover the cancelled deliveries.`,
        });
      },
      onError: (error) => showRefusal(`“${rule.name}” is unchanged`, error),
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
