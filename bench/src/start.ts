import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Memory, memoryBelow } from './product/processes.ts'
import { type Started, startProduct } from './product/product.ts'
import type { Report } from './report.ts'
import { median, round } from './statistics.ts'

const warmRounds = 3
const restMs = 5000

/** Seconds that a first and a second `npm start` take, and what everything holds in memory at rest. */
export async function start(): Promise<Report> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-bench-'))
  try {
    const first = await startProduct(dataDir)
    await first.stop()
    const warm: Started[] = []
    let memory: Memory[] = []
    for (let at = 0; at < warmRounds; at += 1) {
      const again = await startProduct(dataDir)
      warm.push(again)
      if (at === warmRounds - 1) {
        await delay(restMs)
        memory = memoryBelow(again.pid)
      }
      await again.stop()
    }
    const seconds = (pick: (one: Started) => number) => round(median(warm.map(pick)), 2)
    return {
      bench: 'start',
      columns: ['what', 'value', 'unit'],
      rows: [
        ['empty folder: first page answered', round(first.pageSeconds, 2), 's'],
        ['empty folder: table of npm start', round(first.tableSeconds, 2), 's'],
        ['second start: first page answered', seconds((one) => one.pageSeconds), 's'],
        ['second start: table of npm start', seconds((one) => one.tableSeconds), 's'],
        ...memoryRows(memory),
      ],
      notes: [
        `Second start: median of ${warmRounds}. Memory: ${restMs / 1000} s after the last start, PSS (RSS counts shared pages again in each process).`,
        first.output.includes('Web pages')
          ? 'The first start also built the web pages: run it once more for the time without.'
          : 'The web pages had been built before.',
      ],
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function memoryRows(memory: Memory[]): Report['rows'] {
  const groups = [...Map.groupBy(memory, ({ name }) => name)]
  const sum = (list: Memory[], pick: 'pssMiB' | 'rssMiB') => round(list.reduce((total, one) => total + one[pick], 0))
  return [
    ...groups.map(([name, list]) => [
      `memory: ${name}, ${list.length} process${list.length === 1 ? '' : 'es'} (RSS ${sum(list, 'rssMiB')})`,
      sum(list, 'pssMiB'),
      'MiB',
    ]),
    [`memory: all (RSS ${sum(memory, 'rssMiB')})`, sum(memory, 'pssMiB'), 'MiB'],
  ]
}
