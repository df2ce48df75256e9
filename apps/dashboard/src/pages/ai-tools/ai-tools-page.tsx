import { lazy } from 'react';
import { FirstUse } from '../../components/first-use.tsx';
import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.ts';
import { ConnectSection } from './connect-section.tsx';
import { ConnectedClients } from './connected-clients.tsx';
import { LastCalls } from './last-calls.tsx';
import { ToolsSection } from './tools-section.tsx';
import { useAiToolsSearch } from './use-ai-tools-search.ts';

const CreateAiKeyDialog = lazy(async () => ({
  default: (await import('./create-ai-key-dialog.tsx')).CreateAiKeyDialog,
}));

/** Connects AI clients over MCP, and shows the tools that they have and their calls. */
export function AiToolsPage() {
  const { workspace } = useWorkspace();
  const { search } = useAiToolsSearch();
  return (
    <Page
      title="AI tools"
      description={`Connect an AI assistant to ${workspace.name} over MCP. It reads reports, sets up webinars and finds out why a webhook was not sent, within the scopes that you give it.`}
    >
      <ConnectSection />
      <ConnectedClients />
      <LastCalls />
      <ToolsSection />
      <FirstUse isOpen={search.create === true}>
        <CreateAiKeyDialog />
      </FirstUse>
    </Page>
  );
}
