const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** A duration such as 30s, 1h or 7d in seconds; undefined for a text that is none. */
export function durationSeconds(text: string): number | undefined {
  const found = /^(\d{1,4})([smhdw])$/.exec(text)
  return found ? Number(found[1]) * unitSeconds[found[2] as keyof typeof unitSeconds] : undefined
}
