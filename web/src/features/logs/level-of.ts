export type Level = 'error' | 'warning' | 'other'

/** A level in a field of JSON or of key=value: `"level":"warn"`, `severity=ERROR`, `"level":50`. */
const inField = /["']?\b(?:level|lvl|severity|loglevel)["']?\s*[=:]\s*["']?(\w+)/i
/** A word at the beginning of a line, after what tells the time and the place: `2026-11-26 10:00:00 [main] WARN  …`. */
const asWord = /\b(FATAL|PANIC|CRITICAL|EMERG|ALERT|ERROR|ERR|WARNING|WARN|INFO|NOTICE|DEBUG|TRACE)\b/
/** The beginning that the Go library klog gives its lines: `E1126 10:00:00.000000`. */
const asInitial = /^([IWEF])\d{4} \d\d:\d\d:\d\d/
const beginning = 160

/** How bad a line says that it is; many lines do not say. */
export function levelOf(line: string): Level {
  const named = inField.exec(line)?.[1] ?? asWord.exec(line.slice(0, beginning))?.[1] ?? asInitial.exec(line)?.[1]
  return named === undefined ? 'other' : meaningOf(named.toLowerCase())
}

function meaningOf(name: string): Level {
  // Bunyan and Pino count in tens.
  if (/^\d+$/.test(name)) return Number(name) >= 50 ? 'error' : Number(name) >= 40 ? 'warning' : 'other'
  if (name === 'w' || name.startsWith('warn')) return 'warning'
  return /^(e|f|err|error|fatal|panic|crit|critical|emerg|alert)$/.test(name) ? 'error' : 'other'
}
