import { renameSync, rmSync } from 'node:fs'
import { type Limits, openStore, type Store } from './store.ts'

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damages = new Set([11, 26])

/** Opens a file of samples; one that is damaged is set aside, and an empty one takes its place. */
export function openOrReplace(file: string, limits: Limits): Store {
  try {
    return openStore(file, limits)
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && damages.has(Number(error.errcode)))) throw error
    const aside = `${file}.damaged`
    renameSync(file, aside)
    for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
    console.error(`The metrics file is damaged. It is kept as ${aside}, and an empty one takes its place.`)
    return openStore(file, limits)
  }
}
