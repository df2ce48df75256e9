import { idTime } from '@service/database';
import type { CallOutput } from './schemas.ts';

export interface CallRow {
  id: string;
  surface: string;
  status: number;
  method: string | null;
  path: string | null;
  tool: string | null;
  replayed: boolean;
  key_id: string;
  key_label: string;
  duration_ms: number;
  request_id: string;
}

export const callToOutput = (row: CallRow): CallOutput => ({
  id: row.id,
  surface: row.surface === 'mcp' ? 'mcp' : 'rest',
  at: idTime(row.id).toISOString(),
  status: row.status,
  method: row.method,
  path: row.path,
  tool: row.tool,
  replayed: row.replayed,
  keyId: row.key_id,
  keyLabel: row.key_label,
  durationMs: row.duration_ms,
  requestId: row.request_id,
});
