import { readdirSync, readFileSync } from 'node:fs'

/** Counts, every 50 ms, the Helm processes that were started with something of this data folder. */
export function countHelms(dataDir: string) {
  const counted = { most: 0, stop: () => clearInterval(timer) }
  const timer = setInterval(() => {
    const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isHelm(name, dataDir))
    counted.most = Math.max(counted.most, running.length)
  }, 50)
  return counted
}

function isHelm(pid: string, dataDir: string): boolean {
  try {
    if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('helm')) return false
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)
  } catch {
    // It has ended in between.
    return false
  }
}
