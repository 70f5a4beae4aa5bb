const MACROS: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const NAMES: Record<string, number> = Object.fromEntries([
  ...['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day, index) => [day, index]),
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map((month, index) => [
    month,
    index + 1,
  ]),
])

const RANGES: [number, number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]

export interface Schedule {
  fields: Set<number>[]
  anyDay: boolean
  anyWeekday: boolean
  /** For `@every`: the pause between runs. */
  everyMs?: number
}

function numberOf(text: string): number {
  return NAMES[text.toLowerCase()] ?? Number(text)
}

function parseField(text: string, [low, high]: [number, number]): Set<number> {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/')
    const [from = '', to] = range.split('-')
    const any = range === '*' || range === '?'
    const first = any ? low : numberOf(from)
    const last = any ? high : to !== undefined ? numberOf(to) : step !== undefined ? high : first
    const by = step === undefined ? 1 : Number(step)
    if (![first, last, by].every(Number.isInteger) || first < low || last > high || by < 1) {
      throw new Error(`unparseable schedule field ${JSON.stringify(text)}`)
    }
    for (let value = first; value <= last; value += by) values.add(value)
  }
  return values
}

/** Reads a cron expression of five fields, or one of the `@` words. Throws what is wrong with it. */
export function parseSchedule(text: string): Schedule {
  const every = /^@every (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text.trim())
  if (every) {
    const [, hours = '0', minutes = '0', seconds = '0'] = every
    const everyMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return { fields: [], anyDay: true, anyWeekday: true, everyMs: Math.max(everyMs, 1000) }
  }
  const parts = (MACROS[text.trim()] ?? text).trim().split(/\s+/)
  if (parts.length !== 5) throw new Error(`expected exactly 5 fields, found ${parts.length}: ${JSON.stringify(text)}`)
  const fields = RANGES.map((range, index) => parseField(parts[index] ?? '', range))
  // Sunday is 0 and 7.
  if (fields[4]?.has(7)) fields[4].add(0)
  const any = (part: string | undefined) => part === '*' || part === '?'
  return { fields, anyDay: any(parts[2]), anyWeekday: any(parts[4]) }
}

interface WallClock {
  minute: number
  hour: number
  day: number
  month: number
  weekday: number
}

function wallClock(ms: number, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    minute: 'numeric',
    hour: 'numeric',
    day: 'numeric',
    month: 'numeric',
    weekday: 'short',
  }).formatToParts(ms)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const [minute = 0, hour = 0, day = 0, month = 0] = ['minute', 'hour', 'day', 'month'].map((type) =>
    Number(part(type)),
  )
  return { minute, hour, day, month, weekday: NAMES[part('weekday').toLowerCase()] ?? 0 }
}

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000

/** The first moment after `after` at which the schedule fires; nothing when it never does. */
export function nextRun(schedule: Schedule, after: number, timeZone = 'UTC'): number | undefined {
  if (schedule.everyMs) return after + schedule.everyMs
  const [minutes, hours, days, months, weekdays] = schedule.fields
  let at = Math.floor(after / MINUTE) * MINUTE + MINUTE
  const end = after + 4 * 366 * DAY
  while (at < end) {
    const now = wallClock(at, timeZone)
    const onDay = days?.has(now.day)
    const onWeekday = weekdays?.has(now.weekday)
    // With both days given, either is enough.
    const dayFits = schedule.anyDay || schedule.anyWeekday ? onDay && onWeekday : onDay || onWeekday
    if (!months?.has(now.month) || !dayFits) at += DAY - now.hour * HOUR - now.minute * MINUTE
    else if (!hours?.has(now.hour)) at += HOUR - now.minute * MINUTE
    else if (!minutes?.has(now.minute)) at += MINUTE
    else return at
  }
  return undefined
}
