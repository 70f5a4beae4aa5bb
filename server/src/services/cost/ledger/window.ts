const dayMs = 86_400_000
/** The longest time that one answer is about. */
const longestMs = 400 * dayMs

export interface Window {
  from: Date
  to: Date
}

/** A window as OpenCost writes it, in UTC; undefined for what is none. */
export function windowOf(text: string, now = new Date()): Window | undefined {
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const monday = day - ((now.getUTCDay() + 6) % 7) * dayMs
  const month = (back: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)
  const named: Record<string, [number, number]> = {
    today: [day, now.getTime()],
    yesterday: [day - dayMs, day],
    week: [monday, now.getTime()],
    lastweek: [monday - 7 * dayMs, monday],
    month: [month(0), now.getTime()],
    lastmonth: [month(1), month(0)],
  }
  const [from, to] = Object.hasOwn(named, text) ? (named[text] ?? []) : (lastOf(text, now) ?? betweenOf(text))
  if (from === undefined || to === undefined || !(from < to) || to - from > longestMs) return undefined
  return { from: new Date(from), to: new Date(to) }
}

function lastOf(text: string, now: Date): [number, number] | undefined {
  const found = /^(\d{1,4})([mhd])$/.exec(text)
  if (!found) return undefined
  const unit = { m: 60_000, h: 3_600_000, d: dayMs }[found[2] as 'm' | 'h' | 'd']
  return [now.getTime() - Number(found[1]) * unit, now.getTime()]
}

function betweenOf(text: string): [number, number] | [] {
  const parts = text.split(',')
  if (parts.length !== 2 || !parts.every((part) => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(part))) return []
  const [from, to] = parts.map((part) => Date.parse(part))
  return from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to) ? [] : [from, to]
}

/** A window as one set, or as one for each day of UTC in it. */
export function setsOf({ from, to }: Window, accumulate: boolean): Window[] {
  if (accumulate) return [{ from, to }]
  const sets: Window[] = []
  for (let start = from.getTime(); start < to.getTime(); ) {
    const end = Math.min(to.getTime(), Math.floor(start / dayMs) * dayMs + dayMs)
    sets.push({ from: new Date(start), to: new Date(end) })
    start = end
  }
  return sets
}
