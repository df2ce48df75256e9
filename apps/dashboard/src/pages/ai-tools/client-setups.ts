// The configuration of each client for the address of connectors, in the form that its own documentation gives. Pure functions.
import { quoted } from '../../api-call.ts';
import type { ClientId, KeyClient } from './clients.ts';

export interface ClientSetup {
  /** The steps before the code, in order. */
  steps: readonly string[];
  /** A command, the content of a file, or the address alone. */
  code: string;
  /** The last step, after the code. */
  after?: string;
  /** Opens the client, with the configuration filled in where the client can do that. */
  link?: { label: string; href: string; hasKey: boolean };
}

/** The name of this service in the list of a client. */
const serverName = 'webinars';

/** With a sign-in in the browser, at the address for connectors. */
export const connectorSetupOf: Record<ClientId, (url: string) => ClientSetup> = {
  // https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp
  claude: (url) => ({
    steps: [
      'In Claude on the web or in Claude Desktop, open Customize, then Connectors. Choose “+”, then “Add custom connector”. In a Team or Enterprise plan, an owner adds it first.',
      'Enter the name “Webinars” and this address, then choose Add and Connect.',
    ],
    code: url,
    link: {
      label: 'Open the connectors of Claude',
      href: 'https://claude.ai/customize/connectors',
      hasKey: false,
    },
  }),
  // https://developers.openai.com/apps-sdk/deploy/connect-chatgpt
  chatgpt: (url) => ({
    steps: [
      'In ChatGPT on the web, open Settings, then Apps (in some plans: Connectors), then Advanced settings, and turn on Developer mode. In a Business or Enterprise plan, an admin allows it first.',
      'Go back and choose Create. Enter the name “Webinars” and this address as the MCP server URL, and choose OAuth.',
    ],
    code: url,
    link: { label: 'Open ChatGPT', href: 'https://chatgpt.com', hasKey: false },
  }),
  'claude-code': (url) => ({
    steps: [claudeCodeStep],
    code: claudeCodeCommand(url),
    after: 'Start Claude Code, type /mcp, choose “webinars” and then Authenticate.',
  }),
  cursor: (url) => ({
    ...cursorSetup({ url }),
    after: 'In Cursor, open Customize, then MCPs, and sign in to “webinars”.',
  }),
  vscode: (url) => ({
    ...vscodeSetup({ type: 'http', url }),
    after: 'Start the server in VS Code, and allow it to sign in.',
  }),
  other: (url) => ({
    steps: [
      'Add a remote MCP server (Streamable HTTP) with this address, and choose OAuth if your client asks.',
    ],
    code: url,
  }),
};

const claudeCodeStep =
  'Run this command in a terminal, in the folder of your project. For all projects, add “--scope user” at its end.';

const claudeCodeCommand = (url: string): string =>
  `claude mcp add --transport http ${serverName} ${quoted(url)}`;

/** https://cursor.com/docs/mcp and https://cursor.com/docs/mcp/install-links */
function cursorSetup(server: { url: string; headers?: Record<string, string> }): ClientSetup {
  const config = encodeURIComponent(toBase64(JSON.stringify(server)));
  return {
    steps: ['Add this to .cursor/mcp.json in your project, or to ~/.cursor/mcp.json for all projects.'],
    code: json({ mcpServers: { [serverName]: server } }),
    link: {
      label: 'Add to Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${config}`,
      hasKey: server.headers !== undefined,
    },
  };
}

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration and its guide for developers of servers */
function vscodeSetup(server: object, inputs?: readonly object[]): ClientSetup {
  const asked = inputs ? { inputs } : {};
  const link = encodeURIComponent(JSON.stringify({ name: serverName, ...server, ...asked }));
  return {
    steps: [
      'Add this to .vscode/mcp.json in your project, or run “MCP: Open User Configuration” for all projects.',
    ],
    code: json({ servers: { [serverName]: server }, ...asked }),
    link: { label: 'Add to VS Code', href: `vscode:mcp/install?${link}`, hasKey: false },
  };
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** `btoa` takes Latin-1 only, and the host of an address may have other letters. */
const toBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

// The configuration of each client that takes a key, in the form that its own documentation gives. Pure functions.

/** The address of the MCP surface, and a key or a placeholder. */
interface McpAccess {
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
