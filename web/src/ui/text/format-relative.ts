const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** 'just now', '12 s ago', '4 min ago', '2 h ago', 'yesterday', '3 days ago', then the date. */
export function formatRelative(iso: string, now: number): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return '–'
  const seconds = Math.round((now - at) / 1000)
  if (seconds < 5) return seconds < -minute ? exactTime(iso) : 'just now'
  if (seconds < minute) return `${seconds} s ago`
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ago`
  if (seconds < day) return `${Math.floor(seconds / hour)} h ago`
  if (seconds < 2 * day) return 'yesterday'
  if (seconds < 30 * day) return `${Math.floor(seconds / day)} days ago`
  return new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }).format(at)
}

/** An end less than two days away is marked as soon. */
const soonSeconds = 2 * day

export function endsSoon(iso: string, now: number): boolean {
  return (Date.parse(iso) - now) / 1000 < soonSeconds
}

/** 'ends in 3 days', 'ends in 5 h', 'ends in 12 min', 'ends in under a minute', 'has ended'. */
export function formatRemaining(iso: string, now: number): string {
  const seconds = Math.floor((Date.parse(iso) - now) / 1000)
  if (Number.isNaN(seconds)) return '–'
  if (seconds <= 0) return 'has ended'
  if (seconds < minute) return 'ends in under a minute'
  const rounded = (unit: number) => Math.round(seconds / unit)
  if (rounded(minute) < 90) return `ends in ${rounded(minute)} min`
  if (rounded(hour) < 48) return `ends in ${rounded(hour)} h`
  return `ends in ${rounded(day)} days`
}

/** Day, month and time, and the year when it is another one: '24 Nov, 14:00'. */
export function shortDate(iso: string, now = Date.now()): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric'
  const form = { day: 'numeric', month: 'short', year, hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', form).format(at)
}

/** The full date and time in the reader's time zone. */
export function exactTime(iso: string): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' }).format(at)
}

/** A running time as '00:41' or '1:02:03'. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000))
  const parts = [Math.floor(total / hour), Math.floor((total % hour) / minute), total % minute]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown
    .map((part, index) => (index === 0 && shown.length === 3 ? `${part}` : String(part).padStart(2, '0')))
    .join(':')
}
