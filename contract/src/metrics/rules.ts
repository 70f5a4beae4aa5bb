/** The longest time that one chart shows. */
export const longestRangeMs = 90 * 86_400_000
/** A range of exactly 90 days until now is a little longer when it arrives. */
export const rangeSlackMs = 60_000
/** The busiest pods that a list of pods names. */
export const mostPodsShown = 50
