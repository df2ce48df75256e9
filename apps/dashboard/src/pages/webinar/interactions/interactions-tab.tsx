export function InteractionsTab() {
  return null;
}
