/** Whether a thrown error is Postgres refusing a duplicate (SQLSTATE 23505), of one constraint if named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, constraint: violated } = current as { code?: string; constraint?: string };
    if (code === '23505') return constraint === undefined || violated === constraint;
  }
  return false;
}
