/** The clients that the page explains, in its order. */
export const clientLabels = {
  claude: 'Claude',
  'claude-code': 'Claude Code',
  chatgpt: 'ChatGPT',
  cursor: 'Cursor',
  vscode: 'VS Code',
  other: 'Another client',
} as const;

export type ClientId = keyof typeof clientLabels;

export const clientIds = Object.keys(clientLabels) as readonly ClientId[];

/** A client that can send a key. The others only connect by consent. */
export type KeyClient = Exclude<ClientId, 'claude' | 'chatgpt'>;

export const takesKey = (client: ClientId): client is KeyClient =>
  client !== 'claude' && client !== 'chatgpt';

/** The MCP address for clients with a key. */
export const keyUrl = (): string => `${window.location.origin}/mcp`;

/** The MCP address for clients with a key that get only the tools that read. */
export const readonlyUrl = (): string => `${keyUrl()}/readonly`;

/** The MCP address for connectors: clients that ask a member for access. */
export const connectorUrl = (): string => `${window.location.origin}/mcp/connect`;
