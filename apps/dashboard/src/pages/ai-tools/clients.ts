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
