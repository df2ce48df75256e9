import { Drawer, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyAction, CopyableId } from '../../../components/copy.tsx';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPC, useTRPCClient, type Rule } from '../../../trpc.ts';
import { SecretField } from '../../source/secret-field.tsx';
import { useTriggerText } from './use-triggers.ts';

const verifyExample = `printf '%s' "$RAW_BODY" | openssl dgst -sha256 -hmac "$SECRET"
# must equal the X-Service-Signature header after "sha256="`;

interface RuleDrawerProps {
  webinarId: string;
  ruleId: string | undefined;
  onClose: () => void;
}

export function RuleDrawer({ webinarId, ruleId, onClose }: RuleDrawerProps) {
  return (
    <Drawer opened={ruleId !== undefined} onClose={onClose} title="Webhook rule">
      {ruleId ? <RuleBody key={ruleId} webinarId={webinarId} ruleId={ruleId} /> : null}
    </Drawer>
  );
}

function RuleBody({ webinarId, ruleId }: { webinarId: string; ruleId: string }) {
  const trpc = useTRPC();
  const triggerText = useTriggerText();
  const { data, error, refetch } = useQuery(trpc.automations.rules.get.queryOptions({ webinarId, ruleId }));
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Stack aria-busy>
        <Skeleton height={20} width={180} />
        <Skeleton height={140} />
        <Skeleton height={60} />
      </Stack>
    );
  }
  const rule = data.data;
  return (
    <Stack gap="lg">
      <Title order={2}>{rule.name}</Title>
      <Facts
        facts={[
          [
            'State',
            <Status key="state" tone={rule.enabled ? 'good' : 'quiet'} isHollow={!rule.enabled}>
              {rule.enabled ? 'Enabled' : 'Off'}
            </Status>,
          ],
          ['When', triggerText(rule.trigger.type)],
          [
            'Then',
            <span key="url">
              <code>POST {rule.action.url}</code>{' '}
              <CopyAction text={rule.action.url} label="Copy destination URL" />
            </span>,
          ],
          ['Created', <RelativeTime key="created" at={rule.createdAt} />],
          ['Rule id', <CopyableId key="id" id={rule.id} name="rule id" />],
        ]}
      />
      <RuleSecret rule={rule} />
      <section>
        <Title order={3}>Check a delivery</Title>
        <Text size="sm" c="dimmed" mb={8}>
          Sign the raw body you received and compare. The whole secret is the key, <code>whsec_</code>{' '}
          included.
        </Text>
        <CodeBlock text={verifyExample} label="How to check a signature" />
      </section>
    </Stack>
  );
}

function RuleSecret({ rule }: { rule: Rule }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { webinarId, id: ruleId, name, secretLast4, secretRotatedAt } = rule;
  const { rules } = client.automations;
  const rotate = async () => {
    const { data } = await rules.rotateSecret.mutate({ webinarId, ruleId });
    await queryClient.invalidateQueries(trpc.automations.rules.pathFilter());
    return data.secret;
  };
  return (
    <SecretField
      name={name}
      secretLast4={secretLast4}
      rotatedAt={secretRotatedAt}
      reveal={async () => (await rules.reveal.query({ webinarId, ruleId })).data.secret}
      rotate={rotate}
    />
  );
}
