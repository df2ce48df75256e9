import { ApiKey } from './api-key.ts';
import { RateWindow } from './rate-window.ts';
import { SuspendedAccount } from './suspended-account.ts';

export const keyEntities = [ApiKey, RateWindow, SuspendedAccount];
