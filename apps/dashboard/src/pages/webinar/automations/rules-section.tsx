import { Group, Modal, Skeleton, Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { Section } from '../../../components/section.tsx';
import type { Rule } from '../../../trpc.ts';
import { useRules } from '../../source/use-sources.ts';
import { RuleItem } from './rule-item.tsx';
import { useRuleSentence } from './rule-sentence.ts';
import styles from './rules-section.module.css';
import { useAutomationsSearch } from './use-automations-search.ts';

// Loaded when its dialog opens.
const DeleteRule = lazy(async () => ({ default: (await import('./delete-rule.tsx')).DeleteRule }));

/** The limit of the service. */
const rulesMax = 100;

export function RulesSection() {
  const { webinarId, show } = useAutomationsSearch();
  const [leaving, setLeaving] = useState<Rule>();
  const { data, error, refetch } = useRules(webinarId);
  const sentenceOf = useRuleSentence(webinarId);
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
      text="A rule sends a signed webhook to one endpoint when something happens and all of its conditions are met."
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
            'Give the URL of your CRM, chat or spreadsheet, and send a test.',
          ]}
        >
          A rule sends what attendees do to your other tools as soon as it happens.
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
      <Modal
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete “${leaving?.name}”`}
      >
        <Suspense fallback={<Skeleton height={180} aria-busy />}>
          {leaving ? <DeleteRule rule={leaving} onClose={() => setLeaving(undefined)} /> : null}
        </Suspense>
      </Modal>
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
