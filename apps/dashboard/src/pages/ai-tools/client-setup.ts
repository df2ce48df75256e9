// The configuration of each client that takes a key, in the form that its own documentation gives. Pure functions.
import { quoted } from '../../shell-text.ts';
import type { KeyClient } from './clients.ts';

/** The address of the MCP surface, and a key or a placeholder. */
export interface McpAccess {
  url: string;
  key: string;
}

export interface ClientSetup {
  /** The steps before the code, in order. */
  steps: readonly string[];
  code: string;
  /** Opens the client with the configuration filled in. */
  link?: { label: string; href: string; hasKey: boolean };
}

/** Stands in for a key that was not created yet. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** The name of this service in the list of a client. */
const serverName = 'webinars';
const vscodeInput = `${serverName}-api-key`;

export const setupOf: Record<KeyClient, (access: McpAccess) => ClientSetup> = {
  // https://code.claude.com/docs/en/mcp
  'claude-code': ({ url, key }) => ({
    steps: [
      'Run this command in a terminal, in the folder of your project. For all projects, add “--scope user” at its end.',
      'Start Claude Code and type /mcp: “webinars” is connected.',
    ],
    code: `claude mcp add --transport http ${serverName} ${quoted(url)} \\\n  --header ${quoted(`Authorization: Bearer ${key}`)}`,
  }),
  // https://cursor.com/docs/mcp and https://cursor.com/docs/mcp/install-links
  cursor: ({ url, key }) => {
    const server = { url, headers: bearer(key) };
    const config = toBase64(JSON.stringify(server));
    return {
      steps: ['Add this to .cursor/mcp.json in your project, or to ~/.cursor/mcp.json for all projects.'],
      code: json({ mcpServers: { [serverName]: server } }),
      link: {
        label: 'Add to Cursor',
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${serverName}&config=${encodeURIComponent(config)}`,
        hasKey: true,
      },
    };
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  vscode: ({ url }) => {
    const server = { type: 'http', url, headers: bearer(`\${input:${vscodeInput}}`) };
    const inputs = [
      { type: 'promptString', id: vscodeInput, description: 'API key of the webinar service', password: true },
    ];
    const link = encodeURIComponent(JSON.stringify({ name: serverName, ...server, inputs }));
    return {
      steps: [
        'Add this to .vscode/mcp.json in your project, or run “MCP: Open User Configuration” for all projects.',
        'Start the server in VS Code, and paste the key when VS Code asks for it. VS Code stores it encrypted, outside the file.',
      ],
      code: json({ servers: { [serverName]: server }, inputs }),
      link: { label: 'Add to VS Code', href: `vscode:mcp/install?${link}`, hasKey: false },
    };
  },
  other: ({ url, key }) => ({
    steps: [
      'Add a remote MCP server (Streamable HTTP) to your client. Most clients read a file like this one; others have a field for the address and one for the header.',
    ],
    code: json({ mcpServers: { [serverName]: { type: 'http', url, headers: bearer(key) } } }),
  }),
};

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** `btoa` takes Latin-1 only, and the host of an address may have other letters. */
const toBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
