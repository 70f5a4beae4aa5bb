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
    taken === 0 ? 'Added nothing' : `Added ${counted(taken, 'version', 'versions')}`,
    ...(known > 0 ? [`${counted(known, 'was', 'were')} already there`] : []),
    ...(refused > 0 ? [`${counted(refused, 'was', 'were')} refused`] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'was', 'were')} left out`] : []),
  ]
  const rest = beyond > 0 ? ` ${counted(beyond, 'more version waits', 'more versions wait')} for the next run.` : ''
  return `${parts.join('; ')}.${rest}`
}

/** Says what a preview of a source has found. */
export function previewSummary(host: string, charts: number, versions: number): string {
  if (charts === 0) return `${host} answers, but no chart matches.`
  return `${host} answers. ${counted(charts, 'chart fits', 'charts fit')}, with ${counted(versions, 'version', 'versions')} to take.`
}
