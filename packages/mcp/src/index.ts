export { createMcpHandler, type McpHandler, type McpOptions } from './mcp-handler.ts';
export type { Prompt, Resource, ServerIdentity } from './method-server.ts';
export {
  createTools,
  one,
  page,
  summarizeTools,
  withUntrusted,
  type Tool,
  type ToolDefinition,
  type ToolHints,
  type ToolSummary,
} from './tool.ts';
export { rowsMax } from './tool-schema.ts';
