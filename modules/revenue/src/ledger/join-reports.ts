/** The fields of a purchase that its reports do not all have. */
export interface PurchaseReport {
  eventId: string;
  email: string | null;
  clickId: string | null;
  registrationId: string | null;
  occurredAt: Date;
}

export type JoinedReports = Omit<PurchaseReport, 'eventId'>;

/**
 * The facts of a purchase that was reported several times: the time of the earliest report, and each other field from the earliest
 * report that has it. The order in which the reports arrived does not matter.
 */
export function joinReports(reports: readonly PurchaseReport[]): JoinedReports {
  const sorted = reports.toSorted(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1),
  );
  const first = <Name extends 'email' | 'clickId' | 'registrationId'>(name: Name): string | null =>
    sorted.find((report) => report[name] !== null)?.[name] ?? null;
  return {
    email: first('email'),
    clickId: first('clickId'),
    registrationId: first('registrationId'),
    occurredAt: sorted[0]!.occurredAt,
  };
}
