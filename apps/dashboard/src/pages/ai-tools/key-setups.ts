// The configuration of each client that takes a key, in the form that its own documentation gives. Pure functions.
import { quoted } from '../../shell-text.ts';
import type { KeyClient } from './clients.ts';
import {
  claudeCodeCommand,
  claudeCodeStep,
  cursorSetup,
  json,
  serverName,
  vscodeSetup,
  type ClientSetup,
} from './connector-setups.ts';

/** The address of the MCP surface, and a key or a placeholder. */
export interface McpAccess {
  url: string;
  key: string;
}

/** Stands in for a key that was not created yet. */
export const keyPlaceholder = 'YOUR_API_KEY';

const vscodeInput = `${serverName}-api-key`;

/** With a key, at the address for keys. */
export const keySetupOf: Record<KeyClient, (access: McpAccess) => ClientSetup> = {
  // https://code.claude.com/docs/en/mcp
  'claude-code': ({ url, key }) => ({
    steps: [claudeCodeStep],
    code: `${claudeCodeCommand(url)} \\\n  --header ${quoted(`Authorization: Bearer ${key}`)}`,
    after: 'Start Claude Code and type /mcp: “webinars” is connected.',
  }),
  cursor: ({ url, key }) => cursorSetup({ url, headers: bearer(key) }),
  vscode: ({ url }) => ({
    ...vscodeSetup({ type: 'http', url, headers: bearer(`\${input:${vscodeInput}}`) }, [
      {
        type: 'promptString',
        id: vscodeInput,
        description: 'API key of the webinar service',
        password: true,
      },
    ]),
    after:
      'Start the server in VS Code, and paste the key when VS Code asks for it. VS Code stores it encrypted, outside the file.',
  }),
  other: ({ url, key }) => ({
    steps: [
      'Add a remote MCP server (Streamable HTTP) to your client. Most clients read a file like this one; others have a field for the address and one for the header.',
    ],
    code: json({ mcpServers: { [serverName]: { type: 'http', url, headers: bearer(key) } } }),
  }),
};

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
