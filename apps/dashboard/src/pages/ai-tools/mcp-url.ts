/** The address of the MCP surface for clients with a key. */
export const mcpUrl = (): string => `${window.location.origin}/mcp`;
