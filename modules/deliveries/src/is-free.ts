/** The SQL condition of a row of `due` that no worker has claimed, or whose lease has ended. By the database's clock. */
export const isFree = '(leased_until is null or leased_until <= now())';
