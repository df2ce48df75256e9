/** Disjoint sets of names (union-find). `find` returns the same name for all of a set. */
export function createDisjointSets() {
  const parents = new Map<string, string>();
  const find = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== name) parents.set(name, root);
    return root;
  };
  return {
    find,
    join(one: string, other: string): void {
      const [a, b] = [find(one), find(other)];
      if (a !== b) parents.set(a, b);
    },
  };
}
