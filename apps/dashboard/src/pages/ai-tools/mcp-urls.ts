/** The MCP address for clients with a key. */
export const keyUrl = (): string => `${window.location.origin}/mcp`;

/** The MCP address for clients with a key that get only the tools that read. */
export const readonlyUrl = (): string => `${keyUrl()}/readonly`;

/** The MCP address for connectors: clients that ask a member for access. */
export const connectorUrl = (): string => `${window.location.origin}/mcp/connect`;
