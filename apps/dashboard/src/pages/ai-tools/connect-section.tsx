import { SegmentedControl, Tabs } from '@mantine/core';
import { Section } from '../../components/section.tsx';
import { clientIds, clientLabels, takesKey, type ClientId } from './clients.ts';
import { ConnectorSetup } from './connector-setup.tsx';
import { FirstCall } from './first-call.tsx';
import { KeySetup } from './key-setup.tsx';
import { useAiToolsSearch } from './use-ai-tools-search.ts';

const ways = [
  { value: 'sign-in', label: 'Sign in' },
  { value: 'key', label: 'With a key' },
] as const;

/** The ways to connect each client. */
export function ConnectSection() {
  const { search, client, show } = useAiToolsSearch();
  // The key belongs to the client before.
  const choose = (next: string | null) => show({ client: (next ?? undefined) as ClientId, key: undefined });
  return (
    <Section
      title="Connect a client"
      text="Most clients open a page of this service, where you sign in and choose the scopes. Clients on your computer can also send a key."
    >
      <Tabs value={client} onChange={choose}>
        <Tabs.List mb="md">
          {clientIds.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {clientLabels[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={client}>
          {takesKey(client) ? (
            <SegmentedControl
              aria-label="Way to connect"
              data={[...ways]}
              value={search.way ?? 'sign-in'}
              onChange={(way) => show({ way: way === 'key' ? way : undefined, key: undefined })}
              mb="md"
            />
          ) : null}
          {takesKey(client) && search.way === 'key' ? (
            <KeySetup client={client} />
          ) : (
            <ConnectorSetup client={client} />
          )}
        </Tabs.Panel>
      </Tabs>
      {search.key === undefined ? null : <FirstCall keyId={search.key} isLinked />}
    </Section>
  );
}
