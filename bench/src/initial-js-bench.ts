import { join } from 'node:path'
import { goalBytes, measureInitialJs } from './initial-js.ts'
import { root } from './machine.ts'
import type { Report } from './report.ts'
import { round } from './statistics.ts'

/** Bytes of scripts that a browser needs for the first page, as brotli 11 sends them. */
export async function initialJs(): Promise<Report> {
  const { files, brotli } = await measureInitialJs(join(root, 'web/dist'))
  const raw = files.reduce((sum, file) => sum + file.raw, 0)
  return {
    bench: 'initial-js',
    columns: ['script', 'brotli bytes', 'raw bytes'],
    rows: [...files.map((file) => [file.name, file.brotli, file.raw]), ['all', brotli, raw]],
    notes: [
      `${round(brotli / 1024, 1)} KiB of ${goalBytes / 1024} KiB: ratio to the goal ${round(brotli / goalBytes, 2)}`,
      'Measured on web/dist as it was last built.',
    ],
    isGoalMet: brotli <= goalBytes,
  }
}
