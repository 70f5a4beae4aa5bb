const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

interface Counts {
  taken: number
  known: number
  refused: number
  skipped: number
  /** Versions beyond what one run takes. */
  beyond: number
}

/** Says what a run has done, in a sentence or two. */
export function summary({ taken, known, refused, skipped, beyond }: Counts): string {
  const parts = [
    taken === 0 ? 'Nothing new came' : `${counted(taken, 'version', 'versions')} came`,
    ...(known > 0 ? [`${counted(known, 'was', 'were')} there already`] : []),
    ...(refused > 0 ? [`${counted(refused, 'was', 'were')} refused`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'was', 'were')} left out`] : []),
  ]
  const last = parts.length > 1 ? ` and ${parts.at(-1)}` : ''
  const rest = beyond > 0 ? ` ${counted(beyond, 'more version waits', 'more versions wait')} for the next run.` : ''
  return `${(parts.length > 1 ? parts.slice(0, -1) : parts).join(', ')}${last}.${rest}`
}

/** Says what a look at a source has found. */
export function lookSummary(host: string, charts: number, versions: number): string {
  if (charts === 0) return `${host} answers, and has no chart that fits.`
  return `${host} answers. ${counted(charts, 'chart fits', 'charts fit')}, with ${counted(versions, 'version', 'versions')} to take.`
}
