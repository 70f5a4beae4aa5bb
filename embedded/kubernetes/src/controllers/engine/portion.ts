/** A count or a percentage of `total`, as in maxSurge; percentages round up or down. */
export function portion(
  value: number | string | undefined,
  total: number,
  fallback: number | string,
  up: boolean,
): number {
  const given = value ?? fallback
  if (typeof given === 'number') return given
  if (!given.endsWith('%')) return Number(given) || 0
  const share = (Number(given.slice(0, -1)) * total) / 100
  return up ? Math.ceil(share) : Math.floor(share)
}
