import { createInterface } from 'node:readline'

/**
 * A small process beside the portal. It hears a beat while the portal is alive and may write; when the pipe closes, or
 * stays silent for too long because the portal was stopped or its event loop stands still, it kills the Helm that the
 * portal had started. The kernel's own death signal covers neither of these two.
 */
const silenceMs = Number(process.argv[2])
const groups = new Set<number>()
let heard = performance.now()

function killAll(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  groups.clear()
}

setInterval(() => {
  if (performance.now() - heard > silenceMs) killAll()
}, silenceMs / 8)

createInterface({ input: process.stdin })
  .on('line', (line) => {
    heard = performance.now()
    const group = Number(line.slice(1))
    if (line.startsWith('+')) groups.add(group)
    if (line.startsWith('-')) groups.delete(group)
  })
  .on('close', () => {
    killAll()
    process.exit(0)
  })
// A terminal's Ctrl-C reaches the whole group; this process ends when the portal has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
