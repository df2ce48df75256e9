import type { z } from 'zod';
import { accessSummary } from './access.ts';
import type { ApiKey } from './api-key.ts';
import { columnsToCreator } from './creator.ts';
import type { KeyOutput } from './schemas.ts';

export function apiKeyToOutput(key: ApiKey): z.input<typeof KeyOutput> {
  return {
    id: key.id,
    label: key.label,
    maskedKey: `${key.prefix}...${key.hint}`,
    access: accessSummary(key.scopes, key.surfaces),
    scopes: key.scopes as z.input<typeof KeyOutput>['scopes'],
    surfaces: key.surfaces as z.input<typeof KeyOutput>['surfaces'],
    createdAt: key.createdAt.toISOString(),
    createdBy: columnsToCreator({
      createdByKind: key.createdByKind,
      createdById: key.createdById ?? null,
      createdByName: key.createdByName ?? null,
    }),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    requests: key.requests,
  };
}
