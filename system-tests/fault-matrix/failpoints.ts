/** The points where a portal can be cut, by the names that its environment takes; docs/robustness.md says where each stands. */
export const failpointNames: readonly string[] = Array.from({ length: 26 }, (_, index) => `F${index + 1}`)
