/** Half away towards the greater number, to a multiple. */
function rounded(value: number, multiple = 1): number {
  const inverse = 1 / multiple
  return Math.floor(value * inverse + 0.5) / inverse
}

const date = (seconds: number) => new Date(Math.trunc(seconds) * 1000)
const DAY_MS = 86_400_000

/** Functions of one value and of scalars. */
export const NUMBER_FUNCTIONS: Readonly<Record<string, (value: number, ...scalars: number[]) => number>> = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  deg: (value) => (value * 180) / Math.PI,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  rad: (value) => (value * Math.PI) / 180,
  round: rounded,
  sgn: Math.sign,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  clamp: (value, least = 0, most = 0) => Math.max(least, Math.min(most, value)),
  clamp_max: (value, most = 0) => Math.min(most, value),
  clamp_min: (value, least = 0) => Math.max(least, value),
}

/** Functions of a moment in seconds since 1970, in UTC. */
export const DATE_FUNCTIONS: Readonly<Record<string, (seconds: number) => number>> = {
  minute: (seconds) => date(seconds).getUTCMinutes(),
  hour: (seconds) => date(seconds).getUTCHours(),
  day_of_week: (seconds) => date(seconds).getUTCDay(),
  day_of_month: (seconds) => date(seconds).getUTCDate(),
  day_of_year(seconds) {
    const day = date(seconds)
    return Math.floor((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
  },
  days_in_month(seconds) {
    const day = date(seconds)
    return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  },
  month: (seconds) => date(seconds).getUTCMonth() + 1,
  year: (seconds) => date(seconds).getUTCFullYear(),
}
