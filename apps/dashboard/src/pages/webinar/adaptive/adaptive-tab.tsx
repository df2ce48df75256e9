export function AdaptiveTab() {
  return null;
}
