/** The longest time that one chart shows. */
export const longestRangeMs = 90 * 86_400_000
/** The busiest pods that a list of pods names. */
export const mostPodsShown = 50
