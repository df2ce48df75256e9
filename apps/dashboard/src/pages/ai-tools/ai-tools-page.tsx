import { Page } from '../../components/page.tsx';
import { useWorkspace } from '../../workspace.ts';
import { ConnectSection } from './connect-section.tsx';
import { ConnectedClients } from './connected-clients.tsx';
import { CreateAiKeyDialog } from './create-ai-key-dialog.tsx';
import { LastCalls } from './last-calls.tsx';
import { ToolsSection } from './tools-section.tsx';

/** Connects AI clients over MCP, and shows the tools that they have and their calls. */
export function AiToolsPage() {
  const { workspace } = useWorkspace();
  return (
    <Page
      title="AI tools"
      description={`Connect an AI assistant to ${workspace.name} over MCP. It reads reports, sets up webinars and finds out why a webhook was not sent, within the scopes that you give it.`}
    >
      <ConnectSection />
      <ConnectedClients />
      <LastCalls />
      <ToolsSection />
      <CreateAiKeyDialog />
    </Page>
  );
}
