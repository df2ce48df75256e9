/** The fields of a purchase that its descriptions do not all have. */
export interface PurchaseDescription {
  eventId: string;
  email: string | null;
  clickId: string | null;
  registrationId: string | null;
  occurredAt: Date;
}

export type JoinedPurchase = Omit<PurchaseDescription, 'eventId'>;

/**
 * The facts of a purchase that was reported several times: the time of the earliest description, and each other field from the earliest
 * description that has it. The order in which the descriptions arrived does not matter.
 */
export function joinDescriptions(descriptions: readonly PurchaseDescription[]): JoinedPurchase {
  const sorted = descriptions.toSorted(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime() || (a.eventId < b.eventId ? -1 : 1),
  );
  const first = (name: 'email' | 'clickId' | 'registrationId'): string | null =>
    sorted.find((description) => description[name] !== null)?.[name] ?? null;
  return {
    email: first('email'),
    clickId: first('clickId'),
    registrationId: first('registrationId'),
    occurredAt: sorted[0]!.occurredAt,
  };
}
