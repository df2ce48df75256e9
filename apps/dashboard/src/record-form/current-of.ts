import { TRPCClientError } from '@trpc/client';
import type { ServiceRouter } from '../trpc.ts';

/** The current record of a 412. */
export const currentOf = (error: unknown): object | undefined =>
  error instanceof TRPCClientError ? (error as TRPCClientError<ServiceRouter>).data?.data : undefined;
