import { ApiKey } from './api-key.ts';
import { RateWindow } from './rate-window.ts';

export const keyEntities = [ApiKey, RateWindow];
