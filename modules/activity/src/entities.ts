import { ApiCall } from './api-call.ts';
import { ApiCallCount } from './api-call-count.ts';

export const activityEntities = [ApiCall, ApiCallCount];
