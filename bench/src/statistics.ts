/** The value below which this share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new Error('nothing was measured')
  const sorted = [...samples].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5)

/**
 * Ratio of the medians with the middle 95 % of what resampling the rounds gives: rounds are drawn in pairs, as they
 * were measured. The draw is seeded, so the same samples always give the same interval.
 */
export function ratioOf(ours: readonly number[], peers: readonly number[]) {
  let seed = 1
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  const ratios = Array.from({ length: 2000 }, () => {
    const drawn = ours.map(() => Math.floor(next() * ours.length))
    const pick = (samples: readonly number[]) => median(drawn.map((at) => samples[at] ?? 0))
    return pick(ours) / pick(peers)
  })
  return { ratio: median(ours) / median(peers), low: quantile(ratios, 0.025), high: quantile(ratios, 0.975) }
}

export function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
